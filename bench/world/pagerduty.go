package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const incidents = "pagerduty_incidents"

var incidentStatuses = []string{"triggered", "acknowledged", "resolved"}

func pagerduty() declaration {
	log := incidentTable()
	return declaration{
		name:        "pagerduty",
		title:       "PagerDuty",
		description: "Incidents that woke somebody up, and who has them.",
		tables:      []table{log},
		tools: []tool{
			{
				name:        "list_incidents",
				description: "Incidents, oldest first; narrow them by status, urgency or service.",
				input: object(
					may("status", oneOf("", incidentStatuses...)),
					may("urgency", oneOf("", "high", "low")),
					may("service", oneOf("", systems...)),
				),
				output: list(log.schema()), effect: reads,
				run: rows(incidents, equals("status"), equals("urgency"), equals("service")),
			},
			{
				name:        "get_incident",
				description: "One incident, by id.",
				input:       object(need("id", text("such as INC-910"))),
				output:      log.schema(), effect: reads,
				run: one(incidents, "id"),
			},
			{
				name:        "acknowledge_incident",
				description: "Acknowledge an incident, so that it stops paging.",
				input:       object(need("id", text("such as INC-910"))),
				output:      object(need("id", text("")), need("status", text(""))),
				effect:      moves,
				run: update("pagerduty.ack", incidents, "id", value.Of("status", "acknowledged"), func(c *call) *value.Object {
					return value.Of("id", c.arg("id", nil), "status", "acknowledged")
				}),
			},
		},
	}
}

func incidentTable() table {
	t := newTable(incidents, "Incidents. An UPDATE SET status = 'acknowledged' by id acknowledges one.",
		need("id", text("such as INC-910")),
		need("title", text("")),
		need("service", oneOf("", systems...)),
		need("status", oneOf("", incidentStatuses...)),
		need("urgency", oneOf("", "high", "low")),
		need("assignee", nullable(text("login"))),
		need("error_id", nullable(text("the Sentry error that raised it"))),
		need("created_at", instant("")),
	)
	t.size, t.row = 24, incident
	t.read = reading{tool: "list_incidents", pushdown: alike("status", "urgency", "service")}
	t.update = &writing{tool: "acknowledge_incident", key: "id", only: map[string]string{"status": "acknowledged"}}
	return t
}

func incidentID(i int) string { return fmt.Sprintf("INC-%d", 900+i) }

func incident(g generator, i, n int) []value.Value {
	d := g.draw(incidents, i)
	about := of(d, themes)
	var assignee, cause value.Value
	if d.chance(70) {
		linked := d.below(sentryTable().count(g))
		cause, about = errorID(linked), errorTheme(g, linked)
	}
	if d.chance(70) {
		assignee = of(d, people).login
	}
	return []value.Value{
		incidentID(i), of(d, []string{"Page: ", "Alarm: ", "High error rate: "}) + lowerFirst(about.title), about.system,
		d.weighted("triggered", 40, "acknowledged", 25, "resolved", 35), d.weighted("high", 55, "low", 45),
		assignee, cause, stamp(d.spread(i, n, 45)),
	}
}
