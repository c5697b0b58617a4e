package main

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listener serves clients over streamable HTTP.
type listener struct {
	address       string
	tokenVariable string
	token         string
}

// Bounds of the HTTP server.
const (
	idleSession   = time.Hour // an unused conversation is ended
	mostSessions  = 1_000     // conversations at the same time
	headerTimeout = 10 * time.Second
	farewell      = 5 * time.Second // for requests under way at the end
	keptAnswers   = 64 << 20        // bytes of answers that can be fetched again
)

// check refuses what would put the tools into a network without a lock.
func (l *listener) check() error {
	if l.tokenVariable != "" {
		if l.address == "" {
			return usageError("--token-env needs --http")
		}
		if l.token = os.Getenv(l.tokenVariable); l.token == "" {
			return usageError("--token-env: the variable %s is not set", l.tokenVariable)
		}
	}
	if l.address == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(l.address)
	if err != nil {
		return usageError("--http: want HOST:PORT, got %q", l.address)
	}
	if l.token == "" && !loopback(host) {
		return usageError("--http %s can be reached from other machines; give a token with --token-env, or use 127.0.0.1", l.address)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (l *listener) serve(ctx context.Context, h *host, stderr io.Writer) (int, error) {
	ln, err := net.Listen("tcp", l.address)
	if err != nil {
		return exitUsage, fmt.Errorf("cannot listen at %s: %w", l.address, errors.Unwrap(err))
	}
	srv := &http.Server{Handler: l.handler(h), ReadHeaderTimeout: headerTimeout}
	fmt.Fprintf(stderr, "polyglove: serving MCP at http://%s/mcp\n", ln.Addr())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	select {
	case err := <-done:
		return exitFault, err
	case <-ctx.Done():
	}
	// Clients keep their event streams open for good, so the conversations end
	// first, and the streams with them.
	h.close()
	end, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if err := srv.Shutdown(end); err != nil {
		_ = srv.Close()
	}
	return exitOK, nil
}

func (l *listener) handler(h *host) http.Handler {
	// Requests of a session are passed to the server that was made with it; the
	// SDK asks for one all the same, to look at the versions.
	idle, err := h.server(false)
	if err != nil {
		h.gateway.log.Error(err.Error())
	}
	streamable := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		if r.Header.Get("Mcp-Session-Id") != "" || r.Method != http.MethodPost {
			return idle
		}
		if h.full() {
			return nil
		}
		s, err := h.server(false)
		if err != nil {
			h.gateway.log.Error(err.Error())
			return nil
		}
		return s
	}, &mcp.StreamableHTTPOptions{Logger: discard, SessionTimeout: idleSession, EventStore: resumable()})
	mux := http.NewServeMux()
	mux.Handle("/mcp", l.authorised(streamable))
	return http.NewCrossOriginProtection().Handler(mux)
}

// resumable keeps the last answers, so that a client whose connection broke while
// a program ran can fetch the answer instead of running it again.
func resumable() mcp.EventStore {
	store := mcp.NewMemoryEventStore(nil)
	store.SetMaxBytes(keptAnswers)
	return store
}

func (h *host) full() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.live) >= mostSessions
}

// authorised wants the bearer token, if there is one.
func (l *listener) authorised(next http.Handler) http.Handler {
	if l.token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(l.token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
