package mcptools

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Spec describes one server. Exactly one of Command, URL and Dial is set.
type Spec struct {
	// Name is the name in the configuration, used in messages.
	Name string
	// Namespace is put before the names of the server's functions; "" derives it
	// from Name. It is made an identifier and kept apart from other servers'.
	Namespace string
	// Description is one line about the server; "" takes the first line of the
	// server's own instructions.
	Description string

	// Command starts a server that speaks over its standard streams. It runs
	// until the set is closed, whatever happens to the calls made to it.
	Command string
	Args    []string
	// Env is added to the few variables that every server gets ([inherited]):
	// the host's environment is not passed on, because it holds secrets that
	// are none of the server's business.
	Env map[string]string
	Dir string // working directory; "" is the host's

	// URL is the endpoint of a server that speaks streamable HTTP.
	URL string
	// Headers are sent with each request to the host of URL, and to no other
	// host a redirect may lead to.
	Headers map[string]string
	// SSE chooses the older HTTP+SSE transport (protocol version 2024-11-05).
	SSE bool

	// Dial connects by other means, such as in memory. It is called again to
	// reconnect.
	Dial func(context.Context) (mcp.Transport, error)

	// Include and Exclude choose tools by the server's own names; patterns are
	// those of [path.Match]. An empty Include takes all. Exclude wins.
	Include, Exclude []string
	// Names maps the server's names of tools to names of functions, which
	// replace the default whole.
	Names map[string]string

	// Tables are tables whose verbs are tools of the server.
	Tables []Table
	// AutoTables makes a table of each tool that no Tables name: of one that reads
	// and declares rows, to be selected from; of one that writes, to be inserted
	// into.
	AutoTables bool

	// Start bounds connecting and listing, Call one call. Zero means
	// [DefaultStart] and no bound beside that of the caller's context.
	Start, Call time.Duration

	// IdempotencyKeys sends with each call a key of its own in _meta, under
	// [IdempotencyKey]: for a server that recognises repeated calls by it.
	IdempotencyKeys bool

	// Secrets are texts that are never printed, as are the values of Headers
	// and those of Env under a name that says so.
	Secrets []string
}

// DefaultStart is how long a server may take to connect and list its tools. A
// package runner may have to fetch the server first.
const DefaultStart = 30 * time.Second

// check reports what is wrong with a spec.
func (s *Spec) check() error {
	ways := 0
	for _, set := range []bool{s.Command != "", s.URL != "", s.Dial != nil} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return errors.New("needs exactly one of a command and a url")
	}
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return errors.New("has a url that is not an http or https address")
		}
	}
	if s.Start < 0 || s.Call < 0 {
		return fmt.Errorf("has a negative time limit")
	}
	return nil
}

func (s *Spec) start() time.Duration {
	if s.Start > 0 {
		return s.Start
	}
	return DefaultStart
}
