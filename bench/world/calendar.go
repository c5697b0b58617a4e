package world

import (
	"fmt"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

const events = "calendar_events"

func calendar() declaration {
	t := eventTable()
	return declaration{
		name:        "calendar",
		title:       "Calendar",
		description: "Meetings and on-call handovers, each in its organiser's time zone.",
		tables:      []table{t},
		tools: []tool{
			{
				name:        "list_events",
				description: "Events, earliest first; narrow them to one organiser.",
				input:       object(may("organizer", text("login"))),
				output:      list(t.schema()), effect: reads,
				run: rows(events, equals("organizer")),
			},
			{
				name:        "create_event",
				description: "Put an event into the calendar and invite people.",
				input: object(
					need("title", text("")),
					need("start", text("RFC 3339, with an offset")),
					may("attendees", text("logins, separated by commas")),
				),
				output: object(need("id", text("")), need("title", text("")), need("start", text(""))),
				effect: adds,
				run:    create("calendar.create_event", events, newEvent, newEventRow),
			},
		},
	}
}

func newEvent(c *call) *value.Object {
	return value.Of("id", fmt.Sprintf("cal-out-%d", c.world.sent("calendar.create_event")+1),
		"title", c.arg("title", nil), "start", c.arg("start", nil))
}

func newEventRow(c *call, said *value.Object) *value.Object {
	id, _ := said.Get("id")
	return value.Of("id", id, "title", c.arg("title", nil), "start", c.arg("start", nil), "end_at", nil,
		"organizer", "you", "attendees", c.arg("attendees", ""), "location", nil)
}

func eventTable() table {
	t := newTable(events, "Calendar events. An INSERT of title, start and attendees makes one.",
		need("id", text("")),
		need("title", text("")),
		need("start", instant("with the organiser's offset")),
		need("end_at", nullable(instant(""))),
		need("organizer", text("login")),
		need("attendees", text("logins, separated by commas")),
		need("location", nullable(text(""))),
	)
	t.size, t.row = 32, event
	t.read = reading{tool: "list_events", pushdown: alike("organizer")}
	t.insert = &writing{tool: "create_event", args: alike("title", "start", "attendees")}
	return t
}

func event(g generator, i, n int) []value.Value {
	d := g.draw(events, i)
	host := of(d, people)
	// Half of the events lie ahead of the anchor.
	start := d.spread(i, n, 28).Add(14 * 24 * time.Hour).Truncate(15 * time.Minute)
	var end, place value.Value
	if d.chance(90) {
		end = stamp(start.Add(time.Duration(of(d, []int{15, 30, 45, 60, 90})) * time.Minute).In(host.zone))
	}
	if d.chance(70) {
		place = of(d, []string{"Meet", "Quay 3, upper room", "Sala Alfama", "会議室 B", "Wheelhouse"})
	}
	title := of(d, []string{"Stand-up", "Handover", "Planning", "Review", "Tide and timetable"}) + " · " + host.team
	if d.chance(25) {
		title = "Incident review " + incidentID(d.below(incidentTable().count(g)))
	}
	guests := ""
	for k, p := range some(d, d.between(1, 5), people) {
		if k > 0 {
			guests += ","
		}
		guests += p.login
	}
	return []value.Value{fmt.Sprintf("cal-%d", 3000+i), title, stamp(start.In(host.zone)), end, host.login, guests, place}
}
