package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const sentryIssues = "sentry_issues"

var errorStatuses = []string{"unresolved", "resolved", "ignored"}

func sentry() declaration {
	issues := sentryTable()
	return declaration{
		name:        "sentry",
		title:       "Sentry",
		description: "Errors that the running systems report, grouped.",
		tables:      []table{issues},
		tools: []tool{
			{
				name:        "list_issues",
				description: "Error groups, oldest first; narrow them by project, status or level.",
				input: object(
					may("project", oneOf("the system", systems...)),
					may("status", oneOf("", errorStatuses...)),
					may("level", oneOf("", "warning", "error", "fatal")),
				),
				output: list(issues.schema()), effect: reads,
				run: rows(sentryIssues, equals("project"), equals("status"), equals("level")),
			},
			{
				name:        "resolve_issue",
				description: "Mark an error group as resolved.",
				input:       object(need("id", text("such as ERR-1404"))),
				output:      object(need("id", text("")), need("status", text(""))),
				effect:      moves,
				run: update("sentry.resolve", sentryIssues, "id", value.Of("status", "resolved"), func(c *call) *value.Object {
					return value.Of("id", c.arg("id", nil), "status", "resolved")
				}),
			},
		},
	}
}

func sentryTable() table {
	t := newTable(sentryIssues, "Error groups. An UPDATE SET status = 'resolved' by id resolves one.",
		need("id", text("such as ERR-1404")),
		need("fingerprint", integer("a 64-bit number")),
		need("title", text("")),
		need("culprit", nullable(text("file and function"))),
		need("level", oneOf("", "warning", "error", "fatal")),
		need("count", integer("events")),
		need("users_affected", integer("")),
		need("status", oneOf("", errorStatuses...)),
		need("project", oneOf("the system", systems...)),
		need("first_seen", instant("")),
		need("last_seen", instant("")),
	)
	t.size, t.row = 36, sentryIssue
	t.read = reading{tool: "list_issues", pushdown: alike("project", "status", "level")}
	t.update = &writing{tool: "resolve_issue", key: "id", only: map[string]string{"status": "resolved"}}
	return t
}

func errorID(i int) string { return fmt.Sprintf("ERR-%d", 1380+i) }

// errorTheme is what error i is about, for those that refer to it.
func errorTheme(g generator, i int) theme { return of(g.draw(sentryIssues, i), themes) }

func sentryIssue(g generator, i, n int) []value.Value {
	d := g.draw(sentryIssues, i)
	about := of(d, themes) // first, because errorTheme draws it alone
	seen := d.spread(i, n, 60)
	var culprit value.Value
	if d.chance(85) {
		culprit = fmt.Sprintf("%s/%s in %s", about.system, about.slug,
			of(d, []string{"load", "render", "quote", "reserve", "publish", "<anonymous>"}))
	}
	count := d.between(1, 70) * d.between(1, 70)
	return []value.Value{
		errorID(i), d.big(), of(d, []string{"TimeoutError: ", "TypeError: ", "panic: ", "HTTP 502: ", "AssertionError: "}) + lowerFirst(about.title),
		culprit, d.weighted("warning", 25, "error", 60, "fatal", 15), int64(count), int64(d.below(count + 1)),
		d.weighted("unresolved", 55, "resolved", 33, "ignored", 12), about.system, stamp(seen), stamp(d.after(seen, 24*15)),
	}
}
