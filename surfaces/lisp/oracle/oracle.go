package oracle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Jars are where Debian's packages put Clojure; the variable POLYGLOVE_CLOJURE, a
// class path, comes first.
var jars = []string{
	"/usr/share/java/clojure.jar", "/usr/share/java/spec.alpha.jar", "/usr/share/java/core.specs.alpha.jar",
}

// Answer is what Clojure made of a program.
type Answer struct {
	OK      bool
	Text    string // the printed value
	Out     string // what the program printed
	Class   string // of the exception, without the package
	Message string
}

// Clojure is a running Clojure. Each program runs in a namespace of its own.
type Clojure struct {
	in  io.WriteCloser
	out *bufio.Scanner
	cmd *exec.Cmd
}

// Start starts a Clojure for a test, which is skipped where there is none.
func Start(t testing.TB) *Clojure {
	t.Helper()
	path, err := classPath()
	if err != nil {
		if os.Getenv("POLYGLOVE_WANT_CLOJURE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	script := filepath.Join(t.TempDir(), "serve.clj")
	if err := os.WriteFile(script, []byte(server), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("java", "-Xss8m", "-cp", path, "clojure.main", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &Clojure{in: in, out: bufio.NewScanner(out), cmd: cmd}
	c.out.Buffer(nil, 1<<28)
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return c
}

func classPath() (string, error) {
	if p := os.Getenv("POLYGLOVE_CLOJURE"); p != "" {
		return p, nil
	}
	if _, err := exec.LookPath("java"); err != nil {
		return "", errors.New("there is no java")
	}
	path := ""
	for _, j := range jars {
		if _, err := os.Stat(j); err != nil {
			return "", fmt.Errorf("there is no Clojure: %w", err)
		}
		path += j + ":"
	}
	return path, nil
}

// Run gives what Clojure makes of a program.
func (c *Clojure) Run(program string) (Answer, error) {
	line, err := json.Marshal(program)
	if err != nil {
		return Answer{}, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return Answer{}, err
	}
	if !c.out.Scan() {
		return Answer{}, errors.New("clojure has ended")
	}
	var a Answer
	err = json.Unmarshal(c.out.Bytes(), &a)
	return a, err
}

// server reads a JSON string a line and answers with a JSON object a line. The
// strings that Go writes are Clojure's but for \/ and \u003c, which both read.
const server = `
(defn hex [c] (format "\\u%04x" (int c)))
(defn quoted [s]
  (str \" (apply str (map (fn [c] (cond (= c \") "\\\"" (= c \\) "\\\\" (or (< (int c) 32) (> (int c) 126)) (hex c) :else (str c))) s)) \"))
(def counter (atom 0))
(defn answer [program]
  (let [n (symbol (str "p" (swap! counter inc)))
        space (create-ns n)
        out (java.io.StringWriter.)]
    (try
      (binding [*ns* space *out* out]
        (clojure.core/refer-clojure)
        (require '[clojure.string :as str] '[clojure.set :as set] '[clojure.walk :as walk] '[clojure.edn :as edn])
        (let [reader (java.io.PushbackReader. (java.io.StringReader. program))
              value (loop [v nil]
                      (let [form (read {:eof ::end} reader)]
                        (if (= form ::end) v (recur (eval form)))))
              text (binding [*print-length* 10000 *print-namespace-maps* false] (pr-str value))]
          (str "{\"OK\":true,\"Text\":" (quoted text) ",\"Out\":" (quoted (str out)) "}")))
      (catch Throwable e
        (let [cause (loop [e e] (if (and (instance? clojure.lang.Compiler$CompilerException e) (.getCause e)) (recur (.getCause e)) e))]
          (str "{\"OK\":false,\"Class\":" (quoted (.getSimpleName (class cause))) ",\"Message\":" (quoted (str (.getMessage cause)))
               ",\"Out\":" (quoted (str out)) "}")))
      (finally (remove-ns n)))))
(defn unquoted [line] (read-string (clojure.string/replace line "\\/" "/")))
(let [in (java.io.BufferedReader. *in*) out *out*]
  (loop []
    (when-let [line (.readLine in)]
      (.write out (str (answer (unquoted line)) "\n"))
      (.flush out)
      (recur))))
`
