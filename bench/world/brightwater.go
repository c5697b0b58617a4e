package world

import (
	"fmt"
	"time"
)

// org is the slug of the built-in organisation.
const org = "brightwater"

// person works at Brightwater.
type person struct {
	login, name string
	team        string
	zone        *time.Location
}

func (p person) address() string { return p.login + "@brightwater.example" }

// Zones are fixed offsets: a zone database would make the world depend on the
// machine.
var (
	lisbon = time.FixedZone("", 0)
	bergen = time.FixedZone("", 1*3600)
	athens = time.FixedZone("", 2*3600)
	kochi  = time.FixedZone("", 5*3600+1800)
	osaka  = time.FixedZone("", 9*3600)
)

var people = []person{
	{"aoife", "Aoife Ní Bhriain", "booking", lisbon},
	{"bjarne", "Bjarne Sæther", "harbour", bergen},
	{"catarina", "Catarina Falcão", "booking", lisbon},
	{"demetra", "Δήμητρα Παπαδάκη", "harbour", athens},
	{"emeka", "Emeka Okonkwo", "platform", lisbon},
	{"fumiko", "森本 文子", "apps", osaka},
	{"gauri", "Gauri Menon", "platform", kochi},
	{"henrik", "Henrik Ångström", "apps", bergen},
	{"ioana", "Ioana Țepeș-Marin", "booking", athens},
	{"jonas", "Jonas Lindqvist", "harbour", bergen},
	{"kwabena", "Kwabena Asante", "platform", lisbon},
	{"lucie", "Lucie D'Hoore", "apps", bergen},
	{"marit", "Marit O’Dowd", "booking", bergen},
	{"nikhil", "Nikhil Varghese", "harbour", kochi},
}

var (
	teams    = []string{"booking", "harbour", "apps", "platform"}
	projects = []string{"Winter timetable", "One fare engine", "Open berths", "Quiet nights"}
	repos    = []string{org + "/booking-web", org + "/fare-engine", org + "/harbour", org + "/skipper-app", org + "/platform"}
	systems  = []string{"booking-web", "fare-engine", "berth-api", "skipper-bff", "notifier", "tide-data"}
	sprints  = []string{"2026-W05", "2026-W07", "2026-W09", "2026-W11"}
	labels   = []string{"bug", "regression", "accessibility", "good first issue", "p1", "p2", "docs", "needs-info"}
)

// theme is a matter that people at Brightwater come back to: titles all over the
// organisation speak of the same ones, so that records can be joined by them.
type theme struct{ slug, title, system string }

var themes = []theme{
	{"ticket-glare", "Boarding code will not scan in bright sun", "skipper-bff"},
	{"midnight-berth", "Berth is double-booked across midnight", "berth-api"},
	{"twice-refunded", "Refund notice is sent twice", "notifier"},
	{"tide-hour", "Tide table is an hour off after the clocks change", "tide-data"},
	{"deck-plan", "Deck plan takes ten seconds on a slow phone", "booking-web"},
	{"fare-cent", "Fare differs by one cent between app and web", "fare-engine"},
	{"sign-in-link", "Sign-in link is stale on arrival", "booking-web"},
	{"late-delay", "Delay alert comes after the departure", "notifier"},
	{"harbour-accents", "Harbour search misses “Ærøskøbing” and “Málaga”", "booking-web"},
	{"crew-export", "Crew rota export cuts long names", "berth-api"},
	{"child-fare", "Child fare is lost when a pet is added", "fare-engine"},
	{"offline-pass", "Season pass does not open without a network", "skipper-bff"},
	{"chart-tiles", "Chart tiles go blank north of 70°", "tide-data"},
	{"voucher-end", "Voucher is accepted a day after it ends", "fare-engine"},
	{"queue-stall", "Outgoing message queue stalls at 02:00", "notifier"},
}

var sentences = []string{
	"It started on the evening crossing and has been steady since.",
	"The crew on the north quay noticed first; passengers only saw a spinner.",
	"We can make it happen with one account, two tabs and a slow connection.",
	"Rolling back the last release did not help, so it is older than that.",
	"The log has nothing at the time, which is a finding of its own.",
	"Support has had a handful of letters about it, most of them patient.",
	"A retry hides it: the second attempt nearly always works.",
	"Please keep the old path behind the switch until the holiday week is over.",
	"The numbers in the report come from the replica, so allow for some lag.",
	"I would rather delete this code than repair it a third time.",
	"Nothing here needs a migration; the column is already nullable.",
	"On the tablet in the wheelhouse the text is too small to read at night. ⚓",
	"The vendor says “works as designed”; we say the design is the problem.",
	"Tested by hand in Bergen, Kochi and 大阪, with the phone set to each language.",
	"The figure that matters is the slowest one per cent, not the mean.",
	"Deploy before the 06:40 sailing or leave it for tomorrow.",
	"Half of the affected bookings were made more than ninety days ahead.",
	"There is a test for it now, and the test fails without the change.",
}

// paragraph gives n sentences.
func (d draw) paragraph(n int) string {
	text := ""
	for i := range n {
		if i > 0 {
			text += " "
		}
		text += of(d, sentences)
	}
	return text
}

// essay gives a long text: a heading and a few paragraphs.
func (d draw) essay(heading string, paragraphs int) string {
	text := "# " + heading
	for i := range paragraphs {
		if i == paragraphs/2 {
			text += fmt.Sprintf("\n\n## What we saw\n\n- %s\n- %s\n- %s", of(d, sentences), of(d, sentences), of(d, sentences))
		}
		text += "\n\n" + d.paragraph(d.between(3, 7))
	}
	return text
}
