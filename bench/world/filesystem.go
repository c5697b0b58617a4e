package world

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

const files = "files"

func filesystem() declaration {
	t := fileTable()
	whole := object(append(append([]property(nil), t.fields...), need("content", text("the whole text")))...)
	return declaration{
		name:        "filesystem",
		title:       "Filesystem",
		description: "Files of the repositories as they lie on disk.",
		tables:      []table{t},
		tools: []tool{
			{
				name:        "list_files",
				description: "Files, all or below a directory.",
				input:       object(may("prefix", text("how the path begins, such as harbour/"))),
				output:      list(t.schema()), effect: reads,
				run: rows(files, below("prefix", "path")),
			},
			{
				name:        "search_files",
				description: "Files whose path contains a text.",
				input:       object(need("query", text("part of the path"))),
				output:      list(t.schema()), effect: reads,
				run: rows(files, within("query", "path")),
			},
			{
				name:        "read_file",
				description: "One file with its content, by path.",
				input:       object(need("path", text("the whole path"))),
				output:      whole, effect: reads,
				run: readFile,
			},
		},
	}
}

func readFile(c *call) (value.Value, error) {
	v, err := one(files, "path")(c)
	file, ok := v.(*value.Object)
	if !ok {
		return v, err
	}
	read := value.Copy(file).(*value.Object)
	path := textOf(file, "path")
	lines, _ := file.Get("lines")
	if c.world.setting.frozen {
		read.Set("preview", fmt.Sprintf("// %s\n// %v lines", path, lines))
		return read, nil
	}
	n, _ := lines.(int64)
	read.Set("content", content(path, int(n)))
	return read, nil
}

// content makes a file's text out of its path alone.
func content(path string, lines int) string {
	d := generator{}.draw(path, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", path)
	for range lines - 1 {
		if d.chance(15) {
			b.WriteByte('\n')
			continue
		}
		b.WriteString(of(d, sentences) + "\n")
	}
	return b.String()
}

func fileTable() table {
	t := newTable(files, "Files of the repositories.",
		need("path", text("")),
		need("size", integer("bytes")),
		need("modified", instant("")),
		need("type", text("extension")),
		need("lines", integer("")),
	)
	t.size, t.row = 60, file
	t.read = reading{tool: "list_files"}
	return t
}

func file(g generator, i, n int) []value.Value {
	d := g.draw(files, i)
	about := of(d, themes)
	kind := d.weighted("go", 30, "ts", 30, "sql", 10, "md", 15, "yaml", 15)
	dir := of(d, []string{"booking-web/src", "fare-engine/internal", "harbour/berths", "skipper-app/lib", "platform/deploy", "harbour/docs"})
	lines := d.between(1, 24) * d.between(1, 20)
	path := fmt.Sprintf("%s/%s_%d.%s", dir, strings.ReplaceAll(about.slug, "-", "_"), i+1, kind)
	return []value.Value{path, int64(len(content(path, lines))), stamp(d.spread(i, n, 300)), kind, int64(lines)}
}
