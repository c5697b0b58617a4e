package mcptools

import (
	"container/list"
	"context"
	"crypto/rand"
	"encoding/base64"
	"mime"
	"strings"
	"sync"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Attachment is a part of a result that is not plain data, or that stands beside
// the value: an image, a file, a link, a text.
type Attachment struct {
	Handle string
	Kind   string // image, audio, resource, link, text
	MIME   string
	URI    string // of a resource or link
	Name   string // of a link
	From   string // the function whose result held it
	Size   int64  // bytes; -1 where it is not known
	Data   []byte // nil for a link, which is read when it is asked for

	server *Server // that a link is read from
}

// Attachments keeps what results held beside plain data, within bounds: the
// oldest go first. A handle cannot be guessed, so one conversation cannot read
// another's; the list is the conversation's own (see [WithAttachments]).
type Attachments struct {
	mu    sync.Mutex
	order *list.List // of *Attachment, the oldest first
	by    map[string]*list.Element
	size  int64
}

// Bounds of one conversation's attachments.
const (
	maxAttachments     = 500
	maxAttachmentBytes = 64 << 20
)

// NewAttachments makes an empty store.
func NewAttachments() *Attachments {
	return &Attachments{order: list.New(), by: map[string]*list.Element{}}
}

const handlePrefix = "att_"

// Attached reports whether a result holds the descriptor of an attachment.
func Attached(v value.Value) bool {
	switch v := v.(type) {
	case []value.Value:
		for _, e := range v {
			if Attached(e) {
				return true
			}
		}
	case *value.Object:
		for key, e := range v.All() {
			if s, ok := e.(string); ok && key == "handle" && strings.HasPrefix(s, handlePrefix) || Attached(e) {
				return true
			}
		}
	}
	return false
}

type attachmentsKey struct{}

// WithAttachments gives a conversation a store of its own: calls made under the
// context keep their attachments there. Without one they share the set's.
func WithAttachments(ctx context.Context, a *Attachments) context.Context {
	return context.WithValue(ctx, attachmentsKey{}, a)
}

// Add keeps an attachment and gives it its handle.
func (a *Attachments) Add(x Attachment) string {
	x.Handle = handlePrefix + strings.ToLower(rand.Text()[:16])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.by[x.Handle] = a.order.PushBack(&x)
	a.size += int64(len(x.Data))
	for a.order.Len() > 1 && (a.order.Len() > maxAttachments || a.size > maxAttachmentBytes) {
		old := a.order.Remove(a.order.Front()).(*Attachment)
		delete(a.by, old.Handle)
		a.size -= int64(len(old.Data))
	}
	return x.Handle
}

// Get finds an attachment.
func (a *Attachments) Get(handle string) (*Attachment, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok := a.by[handle]
	if !ok {
		return nil, false
	}
	return e.Value.(*Attachment), true
}

// All lists the attachments, the newest first.
func (a *Attachments) All() []*Attachment {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]*Attachment, 0, a.order.Len())
	for e := a.order.Back(); e != nil; e = e.Prev() {
		all = append(all, e.Value.(*Attachment))
	}
	return all
}

// descriptor is what a program sees in an attachment's place.
func (x *Attachment) descriptor() *value.Object {
	o := value.Of("kind", x.Kind)
	set := func(key, text string) {
		if text != "" {
			o.Set(key, text)
		}
	}
	set("uri", x.URI)
	set("name", x.Name)
	set("mime", x.MIME)
	if x.Size >= 0 {
		o.Set("size", x.Size)
	}
	o.Set("handle", x.Handle)
	return o
}

// attachmentsGroup is the group of the functions that read attachments.
const attachmentsGroup = "attachments"

// functions gives the functions with which programs read attachments.
func (s *Set) functions() []toolfn.ToolFn {
	type none struct{}
	type one struct {
		Handle string `json:"handle" jsonschema:"the handle that a result held"`
	}
	store := func(ctx context.Context) *Attachments {
		if a, ok := ctx.Value(attachmentsKey{}).(*Attachments); ok {
			return a
		}
		return s.attachments
	}
	list, err := toolfn.Define("list", func(ctx context.Context, _ none) (value.Value, error) {
		all := store(ctx).All()
		rows := make([]value.Value, len(all))
		for i, x := range all {
			row := x.descriptor()
			row.Set("from", x.From)
			rows[i] = row
		}
		return rows, nil
	}, toolfn.ReadOnly(), toolfn.Unsampled(), toolfn.Description(
		"Lists what results held beside their value, the newest first: images, audio, files, links, and text sent along with structured data. Each row has kind, mime, size, handle, and from (the function)."))
	if err != nil {
		panic(err) // the types above are fixed
	}
	read, err := toolfn.Define("read", func(ctx context.Context, in one) (value.Value, error) {
		x, ok := store(ctx).Get(in.Handle)
		if !ok {
			return nil, &toolfn.CallError{Code: "not_found", Message: "no attachment has this handle, or it is gone: the oldest go first, and none outlives the process. Call the function that gave it again; attachments.list() shows those that are kept."}
		}
		return x.read(ctx)
	}, toolfn.ReadOnly(), toolfn.Unsampled(), toolfn.Description(
		"Reads an attachment by its handle. Gives {kind, mime, size, text} for text and {kind, mime, size, base64} for anything else; a link is fetched from its server."))
	if err != nil {
		panic(err)
	}
	return []toolfn.ToolFn{list, read}
}

// read gives an attachment's content.
func (x *Attachment) read(ctx context.Context) (value.Value, error) {
	if x.Data == nil && x.server != nil {
		return x.server.readResource(ctx, x)
	}
	o := x.descriptor()
	if textual(x.MIME) || x.Kind == "text" {
		o.Set("text", strings.ToValidUTF8(string(x.Data), "\uFFFD"))
	} else {
		o.Set("base64", base64.StdEncoding.EncodeToString(x.Data))
	}
	return o, nil
}

// textual reports whether a media type is text for a program.
func textual(media string) bool {
	media = bareType(media)
	return strings.HasPrefix(media, "text/") || jsonType(media) || strings.HasSuffix(media, "+xml") ||
		media == "application/xml" || media == "application/javascript" || media == "application/yaml"
}

// jsonType reports whether a media type is JSON (RFC 6839 for the suffix).
func jsonType(media string) bool {
	media = bareType(media)
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

func bareType(media string) string {
	if t, _, err := mime.ParseMediaType(media); err == nil {
		return t
	}
	return strings.ToLower(strings.TrimSpace(media))
}
