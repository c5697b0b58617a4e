package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const emails = "emails"

func email() declaration {
	inbox := emailTable()
	return declaration{
		name:        "email",
		title:       "Email",
		description: "The team's shared inbox, and outgoing mail.",
		tables:      []table{inbox},
		tools: []tool{
			{
				name:        "list_messages",
				description: "Messages in the inbox, oldest first; narrow them to unread ones or to a label.",
				input: object(
					may("unread", boolean("true: only unread")),
					may("label", text("part of a label, such as harbour")),
				),
				output: list(inbox.schema()), effect: reads,
				run: rows(emails, equals("unread"), within("label", "labels")),
			},
			{
				name:        "search_messages",
				description: "Messages whose subject or snippet contains a text.",
				input:       object(need("query", text("text to look for"))),
				output:      list(inbox.schema()), effect: reads,
				run: rows(emails, within("query", "subject", "snippet")),
			},
			{
				name:        "send_email",
				description: "Send an email. It leaves at once and cannot be called back.",
				input:       object(need("to", text("address")), need("subject", text("")), need("body", text("plain text"))),
				output:      object(need("id", text("")), need("to", text("")), need("subject", text("")), need("status", text(""))),
				effect:      adds,
				run: create("email.send", emails, func(c *call) *value.Object {
					return value.Of("id", fmt.Sprintf("msg-out-%d", c.world.sent("email.send")+1),
						"to", c.arg("to", nil), "subject", c.arg("subject", nil), "status", "sent")
				}, nil),
			},
		},
	}
}

func emailTable() table {
	t := newTable(emails, "Messages in the inbox. An INSERT of to_addr, subject and body sends a new one.",
		need("id", text("")),
		need("thread_id", integer("a 64-bit number")),
		need("from_addr", text("")),
		need("to_addr", text("")),
		need("subject", text("")),
		need("snippet", text("how it begins")),
		need("date", instant("with the sender's offset")),
		need("unread", boolean("")),
		need("labels", list(text(""))),
		need("body", nullable(text("plain text"))),
	)
	t.size, t.row = 56, emailMessage
	t.read = reading{tool: "list_messages", pushdown: map[string]string{"unread": "unread"}}
	t.insert = &writing{tool: "send_email", args: map[string]string{"to_addr": "to", "subject": "subject", "body": "body"}}
	return t
}

func emailMessage(g generator, i, n int) []value.Value {
	d := g.draw(emails, i)
	about, from, to := of(d, themes), of(d, people), of(d, people)
	sender := from.address()
	if d.chance(25) {
		sender = of(d, []string{"capt.øyvind@ferries.example", "noreply@harbours.example", "press@coastnews.example", "σοφία@aegean.example"})
	}
	snippet := d.paragraph(1)
	var body value.Value
	switch {
	case d.chance(10):
		body = d.essay(about.title, 6)
	case d.chance(80):
		body = fmt.Sprintf("Hello %s,\n\n%s %s\n\n%s", to.name, snippet, d.paragraph(d.between(1, 4)), from.name)
	}
	subject := of(d, []string{"Re: ", "Fwd: ", "", "Question: ", "[harbour] "}) + about.title
	if d.chance(20) {
		subject = fmt.Sprintf("%s needs an owner", errorID(d.below(sentryTable().count(g))))
	}
	return []value.Value{
		fmt.Sprintf("msg-%d", 12000+i), d.big(), sender, to.address(), subject, snippet,
		stamp(d.spread(i, n, 30).In(from.zone)), d.chance(35),
		texts(append([]string{"inbox"}, some(d, d.below(3), []string{"harbour", "press", "customers", "on-call"})...)), body,
	}
}
