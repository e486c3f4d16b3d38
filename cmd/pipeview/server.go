package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/view"
)

// Bounds on requests. A request's text is JSON, in which a byte takes up to six.
const (
	maxBody    = 2 * view.MaxText
	maxReading = 32 // bodies at once
	maxPage    = 64 // bytes of a page's name
	// longest is the time that an evaluation may take, patience that a request may wait for one to begin.
	longest  = 20 * time.Second
	patience = 10 * time.Second
	// memory is how much the garbage collector lets the process grow before it works harder.
	memory = 700 << 20
)

// server answers the page's requests.
type server struct {
	hosts   []string // that requests name, with the port
	assets  map[string]asset
	queue   *queue
	view    view.Evaluator
	reading chan struct{}
	longest time.Duration // of an evaluation
}

func newServer(port int, sources []view.Source) (*server, error) {
	assets, err := siteAssets("engine_server.js", sources)
	if err != nil {
		return nil, err
	}
	at := ":" + strconv.Itoa(port)
	return &server{
		hosts:  []string{"127.0.0.1" + at, "localhost" + at},
		assets: assets, queue: newQueue(patience + longest), reading: make(chan struct{}, maxReading),
		longest: longest,
	}, nil
}

// serve answers until the context ends.
func (s *server) serve(ctx context.Context, l net.Listener) error {
	console.Collect(0, memory)
	h := &http.Server{
		Handler: s.handler(), BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * s.queue.longest,
		IdleTimeout: 2 * time.Minute,
		// what a client does wrong is told to the client
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
	defer context.AfterFunc(ctx, func() { _ = h.Close() })()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return ctx.Err()
}

func (s *server) handler() http.Handler {
	return s.guarded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		a, ok := s.assets[name]
		switch {
		case name == "/evaluate" && r.Method == http.MethodPost:
			s.evaluate(w, r)
		case name == "/evaluate", ok && r.Method != http.MethodGet && r.Method != http.MethodHead:
			refuse(w, http.StatusMethodNotAllowed, "this address does not take the method "+r.Method)
		case !ok:
			refuse(w, http.StatusNotFound, "there is no such page")
		default:
			w.Header().Set("Content-Type", a.kind)
			_, _ = w.Write(a.content) // who has left needs no answer
		}
	}))
}

// evaluate answers a request for a prediction with lines of JSON: the numbers first.
func (s *server) evaluate(w http.ResponseWriter, r *http.Request) {
	page := r.Header.Get("Pipeview-Page")
	if r.Header.Get("Content-Type") != "application/json" || len(page) > maxPage {
		refuse(w, http.StatusUnsupportedMediaType, "write the request as application/json")
		return
	}
	request, status, err := s.read(w, r)
	if err != nil {
		refuse(w, status, err.Error())
		return
	}
	begun := false
	err = s.queue.do(r.Context(), page, func(ctx context.Context, give func([]byte)) {
		ctx, stop := context.WithTimeout(ctx, s.longest)
		defer stop()
		give(line(s.view.Evaluate(ctx, request, func(early *view.Response) { give(line(early)) })))
	}, func(document []byte) {
		begun = true
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = w.Write(document) // who has left needs no answer
		_ = http.NewResponseController(w).Flush()
	})
	switch {
	case err == nil || begun: // an answer that ends early says so by its missing line
	case errors.Is(err, errSuperseded):
		refuse(w, http.StatusConflict, err.Error())
	default:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, err.Error())
	}
}

// line is an answer as a line of JSON.
func line(r *view.Response) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil { // a number that is none
		b.Reset()
		_ = e.Encode(map[string]string{"error": err.Error()}) // a string has always a form
	}
	return b.Bytes()
}

// read reads a request, or says with which status it is refused.
func (s *server) read(w http.ResponseWriter, r *http.Request) (*view.Request, int, error) {
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	default:
		return nil, http.StatusServiceUnavailable, errBusy
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, http.StatusRequestEntityTooLarge, fmt.Errorf("a request of more than %d kB is refused", maxBody>>10)
	case err != nil:
		return nil, http.StatusBadRequest, errors.New("the request ends too early")
	}
	request := new(view.Request)
	if err := json.Unmarshal(body, request); err != nil {
		return nil, http.StatusBadRequest, fmt.Errorf("the request cannot be read: %w", err)
	}
	return request, 0, nil
}

// refuse answers with a status and a sentence.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why}) // who has left needs no answer
}
