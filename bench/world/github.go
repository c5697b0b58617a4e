package world

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	pullRequests = "github_pull_requests"
	githubIssues = "github_issues"
)

func github() declaration {
	prs, issues := pullRequestTable(), githubIssueTable()
	return declaration{
		name:        "github",
		title:       "GitHub",
		description: "Code hosting: pull requests, issues and code search over the five Brightwater repositories.",
		tables:      []table{prs, issues},
		tools: []tool{
			{
				name:        "list_pull_requests",
				description: "Pull requests of all repositories, oldest first; narrow them by repository, state or author.",
				input: object(
					may("repo", text("owner/name, such as brightwater/harbour")),
					may("state", oneOf("", prStates...)),
					may("author", text("login of the author")),
				),
				output: list(prs.schema()), effect: reads,
				run: rows(pullRequests, equals("repo"), equals("state"), equals("author")),
			},
			{
				name:        "get_pull_request",
				description: "One pull request, by repository and number.",
				input:       object(need("repo", text("owner/name")), need("number", integer("number of the pull request"))),
				output:      prs.schema(), effect: reads,
				run: onePullRequest,
			},
			{
				name:        "list_issues",
				description: "Issues of all repositories, oldest first; narrow them by repository, state or part of a label.",
				input: object(
					may("repo", text("owner/name")),
					may("state", oneOf("", "open", "closed")),
					may("labels", text("part of a label, such as regress")),
				),
				output: list(issues.schema()), effect: reads,
				run: rows(githubIssues, equals("repo"), equals("state"), within("labels", "labels")),
			},
			{
				name:        "create_issue",
				description: "Open an issue in a repository.",
				input: object(
					need("repo", text("owner/name")),
					need("title", text("one line")),
					may("body", text("Markdown")),
				),
				output: object(need("number", integer("")), need("repo", text("")), need("title", text("")),
					need("url", text("")), need("state", text(""))),
				effect: adds,
				run:    create("github.create_issue", githubIssues, newIssue, newIssueRow),
			},
			{
				name:        "search_code",
				description: "Files of all repositories whose path contains a text; the first 25.",
				input:       object(need("query", text("part of a path"))),
				output:      list(fileTable().schema()), effect: reads,
				run: atMost(25, rows(files, within("query", "path"))),
			},
		},
	}
}

// onePullRequest finds by number. A recorded world looks at nothing else; here
// the repository has to be right as well.
func onePullRequest(c *call) (value.Value, error) {
	if c.world.setting.frozen {
		return one(pullRequests, "number")(c)
	}
	return one(pullRequests, "repo", "number")(c)
}

func newIssue(c *call) *value.Object {
	number := c.next(githubIssues, "number", "github.create_issue")
	repo := c.arg("repo", "")
	return value.Of(
		"number", number,
		"repo", repo,
		"title", c.arg("title", nil),
		"url", fmt.Sprintf("https://github.com/%s/issues/%d", repo, number),
		"state", "open",
	)
}

func newIssueRow(c *call, said *value.Object) *value.Object {
	number, _ := said.Get("number")
	return value.Of(
		"number", number, "repo", c.arg("repo", nil), "title", c.arg("title", nil), "author", "you",
		"state", "open", "labels", []value.Value{}, "comments", int64(0),
		"created_at", c.world.now(), "body", c.arg("body", nil),
	)
}

var prStates = []string{"open", "merged", "closed"}

func pullRequestTable() table {
	t := newTable(pullRequests, "Pull requests of all Brightwater repositories.",
		need("number", integer("")),
		need("repo", text("owner/name")),
		need("title", text("")),
		need("author", text("login")),
		need("state", oneOf("", prStates...)),
		need("draft", boolean("")),
		need("additions", integer("lines added")),
		need("deletions", integer("lines removed")),
		need("created_at", instant("")),
		need("merged_at", nullable(instant(""))),
		need("base", text("branch it goes into")),
		need("closes_linear", nullable(text("id of the Linear issue it closes"))),
		need("body", nullable(text("Markdown"))),
	)
	t.size, t.row = 48, pullRequest
	t.read = reading{tool: "list_pull_requests", pushdown: alike("repo", "state", "author")}
	return t
}

func pullRequest(g generator, i, n int) []value.Value {
	d := g.draw(pullRequests, i)
	about := of(d, themes)
	state := d.weighted("open", 40, "merged", 45, "closed", 15)
	created := d.spread(i, n, 120)
	var merged, closes, body value.Value
	if state == "merged" {
		merged = stamp(d.after(created, 200))
	}
	if d.chance(55) {
		linked := d.below(linearTable().count(g))
		closes = linearID(linked)
		about = linearTheme(g, linked)
	}
	switch d.below(10) {
	case 0:
	case 1:
		body = d.essay(about.title, d.between(4, 9))
	default:
		body = d.paragraph(d.between(1, 3))
	}
	title := of(d, []string{"Fix: ", "Try again: ", "Part 1 of ", "Guard against ", "Measure: "}) + lowerFirst(about.title)
	return []value.Value{
		int64(4100 + i), of(d, repos), title, of(d, people).login, state, state == "open" && d.chance(20),
		int64(d.between(1, 40) * d.between(1, 40)), int64(d.between(0, 25) * d.between(0, 30)),
		stamp(created), merged, d.weighted("main", 8, "release/2026.1", 1, "main", 1), closes, body,
	}
}

func githubIssueTable() table {
	t := newTable(githubIssues, "Issues of all Brightwater repositories. An INSERT opens one.",
		need("number", integer("")),
		need("repo", text("owner/name")),
		need("title", text("")),
		need("author", text("login")),
		need("state", oneOf("", "open", "closed")),
		need("labels", list(text(""))),
		need("comments", integer("how many")),
		need("created_at", instant("")),
		need("body", nullable(text("Markdown"))),
	)
	t.size, t.row = 36, githubIssue
	t.read = reading{tool: "list_issues", pushdown: alike("repo", "state")}
	t.insert = &writing{tool: "create_issue", args: alike("repo", "title", "body")}
	return t
}

func githubIssue(g generator, i, n int) []value.Value {
	d := g.draw(githubIssues, i)
	about := of(d, themes)
	var body value.Value
	if d.chance(80) {
		body = d.paragraph(d.between(1, 4))
	}
	return []value.Value{
		int64(7300 + i), of(d, repos), about.title + of(d, []string{"", " (again)", " on Android", " on Safari", " — since February"}),
		of(d, people).login, d.weighted("open", 60, "closed", 40), texts(some(d, d.between(0, 3), labels)),
		int64(d.between(0, 6) * d.between(0, 6)), stamp(d.spread(i, n, 150)), body,
	}
}

// alike pairs columns with arguments of the same names.
func alike(names ...string) map[string]string {
	m := make(map[string]string, len(names))
	for _, n := range names {
		m[n] = n
	}
	return m
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
