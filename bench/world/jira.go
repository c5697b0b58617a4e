package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const jiraIssues = "jira_issues"

var (
	jiraStatuses   = []string{"To Do", "In Progress", "Blocked", "In Review", "Done"}
	jiraPriorities = []string{"Low", "Medium", "High", "Critical"}
)

func jira() declaration {
	issues := jiraTable()
	return declaration{
		name:        "jira",
		title:       "Jira",
		description: "Tickets of the quay and fleet operations.",
		tables:      []table{issues},
		tools: []tool{
			{
				name:        "search_issues",
				description: "Jira tickets, oldest first; narrow them by assignee, status, priority or sprint.",
				input: object(
					may("assignee", text("login")),
					may("status", oneOf("", jiraStatuses...)),
					may("priority", oneOf("", jiraPriorities...)),
					may("sprint", text("such as 2026-W09")),
				),
				output: list(issues.schema()), effect: reads,
				run: rows(jiraIssues, equals("assignee"), equals("status"), equals("priority"), equals("sprint")),
			},
			{
				name:        "get_issue",
				description: "One Jira ticket, by key.",
				input:       object(need("key", text("such as QUAY-77"))),
				output:      issues.schema(), effect: reads,
				run: one(jiraIssues, "key"),
			},
			{
				name:        "transition_issue",
				description: "Move a Jira ticket to another status.",
				input:       object(need("key", text("such as QUAY-77")), need("status", oneOf("", jiraStatuses...))),
				output:      object(need("key", text("")), need("status", text("")), need("ok", boolean(""))),
				effect:      moves,
				run: update("jira.transition", jiraIssues, "key", nil, func(c *call) *value.Object {
					return value.Of("key", c.arg("key", nil), "status", c.arg("status", nil), "ok", true)
				}),
			},
		},
	}
}

func jiraTable() table {
	t := newTable(jiraIssues, "Jira tickets. An UPDATE of status by key moves one.",
		need("key", text("such as QUAY-77")),
		need("summary", text("")),
		need("assignee", nullable(text("login"))),
		need("status", oneOf("", jiraStatuses...)),
		need("priority", oneOf("", jiraPriorities...)),
		need("sprint", nullable(text("ISO week"))),
		need("story_points", nullable(&number)),
		need("created_at", instant("")),
	)
	t.size, t.row = 40, jiraIssue
	t.read = reading{tool: "search_issues", pushdown: alike("assignee", "status", "priority", "sprint")}
	t.update = &writing{tool: "transition_issue", args: alike("status"), key: "key"}
	return t
}

func jiraIssue(g generator, i, n int) []value.Value {
	d := g.draw(jiraIssues, i)
	about := of(d, themes)
	var assignee, sprint, points value.Value
	if d.chance(75) {
		assignee = of(d, people).login
	}
	if d.chance(80) {
		sprint = of(d, sprints)
	}
	if d.chance(65) {
		points = of(d, []value.Value{0.5, int64(1), int64(2), int64(3), int64(5)})
	}
	return []value.Value{
		fmt.Sprintf("QUAY-%d", 60+i), of(d, []string{"Ops: ", "Harbour office: ", "Crew desk: ", ""}) + about.title, assignee,
		d.weighted("To Do", 25, "In Progress", 25, "Blocked", 8, "In Review", 12, "Done", 30),
		d.weighted("Low", 20, "Medium", 45, "High", 25, "Critical", 10), sprint, points, stamp(d.spread(i, n, 100)),
	}
}
