package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const notionPages = "notion_pages"

var databases = []string{"Handbook", "Decisions", "Postmortems", "Meeting notes"}

func notion() declaration {
	pages := pageTable()
	return declaration{
		name:        "notion",
		title:       "Notion",
		description: "The handbook: decisions, postmortems and meeting notes.",
		tables:      []table{pages},
		tools: []tool{
			{
				name:        "search_pages",
				description: "Pages whose title contains a text, in one database or in all.",
				input:       object(may("query", text("part of the title")), may("database", oneOf("", databases...))),
				output:      list(pages.schema()), effect: reads,
				run: rows(notionPages, within("query", "title"), equals("database")),
			},
			{
				name:        "list_databases",
				description: "The databases that pages are in.",
				input:       object(),
				output:      list(object(need("database", text("")))), effect: reads,
				run: listDatabases,
			},
			{
				name:        "create_page",
				description: "Create a page in a database.",
				input: object(need("title", text("")), need("database", oneOf("", databases...)),
					may("body", text("Markdown"))),
				output: object(need("id", text("")), need("title", text("")), need("database", text("")), need("url", text(""))),
				effect: adds,
				run:    create("notion.create_page", notionPages, newPage, newPageRow),
			},
		},
	}
}

func listDatabases(c *call) (value.Value, error) {
	found := []value.Value{}
	seen := map[string]bool{}
	for _, row := range c.collection(notionPages).all() {
		if name := textOf(row, "database"); !seen[name] {
			seen[name] = true
			found = append(found, value.Of("database", name))
		}
	}
	return found, nil
}

func newPage(c *call) *value.Object {
	id := fmt.Sprintf("nt-out-%d", c.world.sent("notion.create_page")+1)
	return value.Of("id", id, "title", c.arg("title", nil), "database", c.arg("database", nil),
		"url", "https://notion.so/"+c.world.setting.org+"/"+id)
}

func newPageRow(c *call, said *value.Object) *value.Object {
	id, _ := said.Get("id")
	url, _ := said.Get("url")
	return value.Of("id", id, "title", c.arg("title", nil), "database", c.arg("database", nil), "author", "you",
		"last_edited", c.world.now(), "url", url, "body", c.arg("body", nil))
}

func pageTable() table {
	t := newTable(notionPages, "Notion pages. An INSERT of title, database and body creates one.",
		need("id", text("")),
		need("title", text("")),
		need("database", oneOf("", databases...)),
		need("author", text("login")),
		need("last_edited", instant("")),
		need("url", text("")),
		need("body", nullable(text("Markdown"))),
	)
	t.size, t.row = 28, notionPage
	t.read = reading{tool: "search_pages", pushdown: alike("database")}
	t.insert = &writing{tool: "create_page", args: alike("title", "database", "body")}
	return t
}

func notionPage(g generator, i, n int) []value.Value {
	d := g.draw(notionPages, i)
	about, database := of(d, themes), of(d, databases)
	title := about.title
	switch database {
	case "Postmortems":
		title = fmt.Sprintf("%s: %s", incidentID(d.below(incidentTable().count(g))), about.title)
	case "Decisions":
		title = fmt.Sprintf("Decision %03d — %s", i+1, lowerFirst(about.title))
	case "Meeting notes":
		title = "Notes " + d.spread(i, n, 90).Format("2006-01-02") + " · " + of(d, teams)
	}
	var body value.Value
	if d.chance(85) {
		body = d.essay(title, d.between(2, 10))
	}
	return []value.Value{
		fmt.Sprintf("nt-%d", 500+i), title, database, of(d, people).login, stamp(d.spread(i, n, 90)),
		fmt.Sprintf("https://notion.so/%s/%s-%d", org, about.slug, 500+i), body,
	}
}
