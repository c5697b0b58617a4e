package toolfn_test

import (
	"context"
	"fmt"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// A Go function becomes a capability; a wrong call is refused in words that say
// what to do.
func ExampleDefine() {
	type query struct {
		Repo  string `json:"repo" jsonschema:"owner/name"`
		State string `json:"state,omitempty"`
	}
	type issue struct {
		Number int    `json:"number"`
		Title  string `json:"title"`
	}
	list, err := toolfn.Define("tracker__list_issues", func(_ context.Context, q query) ([]issue, error) {
		return []issue{{1, "Fix " + q.Repo}}, nil
	}, toolfn.Description("List the issues of a repository."), toolfn.ReadOnly())
	if err != nil {
		panic(err)
	}
	catalog := toolfn.NewCatalog()
	if err := catalog.Register(list); err != nil {
		panic(err)
	}

	f, _ := catalog.Lookup("tracker__list_issues")
	fmt.Println(toolfn.Line(f, toolfn.Neutral))
	args, err := f.Check(value.Of("repo", "acme/web"))
	if err != nil {
		panic(err)
	}
	result, err := f.Invoke(context.Background(), args)
	text, _ := value.Append(nil, result)
	fmt.Println(string(text), err)
	_, err = f.Check(value.Of("repository", "acme/web"))
	fmt.Println(err)
	// Output:
	// tracker__list_issues({repo: string, state?: string}) → {number: integer, title: string}[] [read] — List the issues of a repository.
	// [{"number":1,"title":"Fix acme/web"}] <nil>
	// tracker__list_issues: unknown argument repository (did you mean repo?); accepted: repo, state. Call it as tracker__list_issues({repo: "…"}); describe("tracker__list_issues") shows every argument.
}

// What a server offers is taken in whole, with its names made safe.
func ExampleCatalog_Adopt() {
	nothing := func(context.Context, *value.Object) (value.Value, error) { return nil, nil }
	send, err := toolfn.DefineRaw("send-mail", []byte(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`), nothing)
	if err != nil {
		panic(err)
	}
	catalog := toolfn.NewCatalog()
	name, warnings := catalog.Adopt(toolfn.Server{Name: "mail"}, send)
	fmt.Println(name, warnings[0])
	// Output:
	// mail mail__send_mail: the tool "send-mail" is called mail__send_mail in programs
}
