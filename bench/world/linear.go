package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const linearIssues = "linear_issues"

var linearStates = []string{"backlog", "todo", "in_progress", "in_review", "done", "canceled"}

func linear() declaration {
	issues := linearTable()
	priority := between("0 none, 1 urgent, 2 high, 3 medium, 4 low", 0, 4)
	return declaration{
		name:        "linear",
		title:       "Linear",
		description: "Issue tracking of the product teams: what is planned, who has it, and how far it is.",
		tables:      []table{issues},
		tools: []tool{
			{
				name:        "list_issues",
				description: "Linear issues, oldest first; narrow them by assignee, state, team or project.",
				input: object(
					may("assignee", text("login")),
					may("state", oneOf("", linearStates...)),
					may("team", oneOf("", teams...)),
					may("project", text("name of the project, in full")),
				),
				output: list(issues.schema()), effect: reads,
				run: rows(linearIssues, equals("assignee"), equals("state"), equals("team"), equals("project")),
			},
			{
				name:        "get_issue",
				description: "One Linear issue, by id.",
				input:       object(need("id", text("such as BW-318"))),
				output:      issues.schema(), effect: reads,
				run: one(linearIssues, "id"),
			},
			{
				name:        "create_issue",
				description: "Create a Linear issue; it starts as todo.",
				input: object(
					need("title", text("one line")),
					may("team", oneOf("", teams...)),
					may("assignee", text("login")),
					may("priority", priority),
					may("project", text("name of the project")),
				),
				output: object(need("id", text("")), need("title", text("")), need("team", text("")),
					need("assignee", nullable(text(""))), need("state", text("")), need("priority", integer(""))),
				effect: adds,
				run:    create("linear.create_issue", linearIssues, newLinear, newLinearRow),
			},
			{
				name:        "update_issue",
				description: "Change the state, the assignee or the priority of a Linear issue.",
				input: object(
					need("id", text("such as BW-318")),
					may("state", oneOf("", linearStates...)),
					may("assignee", text("login")),
					may("priority", priority),
				),
				output: object(need("id", text("")), need("updated", boolean(""))),
				effect: overwrites,
				run: update("linear.update_issue", linearIssues, "id", nil, func(c *call) *value.Object {
					return value.Of("id", c.arg("id", nil), "updated", true)
				}),
			},
		},
	}
}

func newLinear(c *call) *value.Object {
	prefix := "BW-"
	if c.world.setting.frozen {
		prefix = "ENG-"
	}
	return value.Of(
		"id", fmt.Sprintf("%s%d", prefix, c.next(linearIssues, "id", "linear.create_issue")),
		"title", c.arg("title", nil),
		"team", c.arg("team", c.world.setting.defaultTeam),
		"assignee", c.arg("assignee", nil),
		"state", "todo",
		"priority", c.arg("priority", int64(0)),
	)
}

func newLinearRow(c *call, said *value.Object) *value.Object {
	id, _ := said.Get("id")
	return value.Of(
		"id", id, "title", c.arg("title", nil), "assignee", c.arg("assignee", nil), "state", "todo",
		"priority", c.arg("priority", int64(0)), "estimate", nil, "team", c.arg("team", c.world.setting.defaultTeam),
		"project", c.arg("project", nil), "created_at", c.world.now(), "updated_at", c.world.now(),
	)
}

func linearTable() table {
	t := newTable(linearIssues, "Linear issues. An INSERT creates one; an UPDATE by id changes state, assignee or priority.",
		need("id", text("such as BW-318")),
		need("title", text("")),
		need("assignee", nullable(text("login"))),
		need("state", oneOf("", linearStates...)),
		need("priority", between("0 none, 1 urgent, 2 high, 3 medium, 4 low", 0, 4)),
		need("estimate", nullable(integer("points"))),
		need("team", oneOf("", teams...)),
		need("project", nullable(text(""))),
		need("created_at", instant("")),
		need("updated_at", instant("")),
	)
	t.size, t.row = 64, linearIssue
	t.read = reading{tool: "list_issues", pushdown: alike("assignee", "state", "team", "project")}
	t.insert = &writing{tool: "create_issue", args: alike("title", "team", "assignee", "priority", "project")}
	t.update = &writing{tool: "update_issue", args: alike("state", "assignee", "priority"), key: "id"}
	return t
}

func linearID(i int) string { return fmt.Sprintf("BW-%d", 300+i) }

// linearTheme is what issue i is about, for those that refer to it.
func linearTheme(g generator, i int) theme { return of(g.draw(linearIssues, i), themes) }

func linearIssue(g generator, i, n int) []value.Value {
	d := g.draw(linearIssues, i)
	about := of(d, themes) // first, because linearTheme draws it alone
	created := d.spread(i, n, 180)
	var assignee, estimate, project value.Value
	if d.chance(85) {
		assignee = of(d, people).login
	}
	if d.chance(70) {
		estimate = of(d, []int64{1, 2, 3, 5, 8, 13})
	}
	if d.chance(80) {
		project = of(d, projects)
	}
	return []value.Value{
		linearID(i), about.title + of(d, []string{"", "", ": find the cause", ": add a test", ": clean up"}), assignee,
		d.weighted("backlog", 18, "todo", 16, "in_progress", 20, "in_review", 12, "done", 26, "canceled", 8),
		int64(d.below(5)), estimate, of(d, teams), project, stamp(created), stamp(d.after(created, 24*20)),
	}
}
