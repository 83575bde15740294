package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"go.yaml.in/yaml/v3"
)

// Decision is what the value of an expression says about who may see the object of a record. A value that
// its table does not have leaves that unknown.
type Decision struct {
	Line  int
	Value *Expression
	// ByValue has the effects of values, by their texts in records. It is nil if no value decides anything.
	ByValue map[string]Effect
	// Null is the effect of null, Other that of values that are not in ByValue; empty for none.
	Null, Other Effect
}

// Effect is what one value says.
type Effect string

// The effects. Public and Followers are for posts, and for users, whose accounts are then private.
// Requested is for follows. Shown leaves it to the other decisions.
const (
	Shown     Effect = "shown"
	Hidden    Effect = "hidden"
	Public    Effect = "PUBLIC"
	Followers Effect = "FOLLOWERS"
	Requested Effect = "REQUESTED"
)

// effectsOf returns the effects that records of a type can have, the strongest last; nil if they have none.
func effectsOf(typ string) []Effect {
	switch typ {
	case "user", "post":
		return []Effect{Shown, Public, Followers, Hidden}
	case "follow":
		return []Effect{Shown, Requested, Hidden}
	case "live", "list":
		return []Effect{Shown, Hidden}
	}
	return nil
}

const (
	// Undecided begins a value that someone has to replace by what a column decides.
	Undecided = "DECIDE"
	// Nothing says that a column decides nothing.
	Nothing = "nothing"
	// OtherValues is the name of those that a table does not have.
	OtherValues = "*"
)

// Hides reports whether a value can hide the object.
func (d *Decision) Hides() bool {
	return slices.Contains(d.effects(), Hidden)
}

// effects returns those that the table names, sorted.
func (d *Decision) effects() []Effect {
	list := append(slices.Collect(maps.Values(d.ByValue)), d.Null, d.Other)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(e Effect) bool { return e == "" })
}

// effect returns the effect of the value, and its text. The error says that it has none.
func (d *Decision) effect(variables map[string]any) (Effect, error) {
	v, err := d.Value.eval(variables)
	if err != nil {
		return "", err
	}
	if v == types.NullValue {
		return d.orUnknown(cmp.Or(d.Null, d.Other), "null")
	}
	text, isText := decidingText(v)
	if effect, known := d.ByValue[text]; known && isText {
		return effect, nil
	}
	return d.orUnknown(d.Other, text)
}

func (d *Decision) orUnknown(effect Effect, text string) (Effect, error) {
	if effect != "" {
		return effect, nil
	}
	return "", fmt.Errorf("line %d: %s is %.40q, which decides nothing in the mapping", d.Line, d.Value.Source, text)
}

// decidingText returns a value as tables have it. Lists and objects have no text.
func decidingText(v ref.Val) (text string, ok bool) {
	native, err := (&converter{valueMax}).native(v)
	if truth, is := native.(bool); is {
		return strconv.FormatBool(truth), true
	}
	text, ok = native.(string)
	return text, ok && err == nil
}

// Verdict is what a rule says about an input.
type Verdict struct {
	// Makes reports that the input makes a record, Hidden that it makes none because a decision hides it.
	Makes, Hidden bool
	// Fields are those that decisions set.
	Fields []DecidedField
}

// DecidedField is a field that decisions set.
type DecidedField struct {
	Name  string
	Value FieldValue
}

// Verdict returns what the condition and the decisions of a rule say about an input. skip names decisions to
// leave out by their places; nil for none. The error says that it cannot be known whether there is a record, and who may see its object.
func (r *Rule) Verdict(variables map[string]any, skip func(place int) bool) (Verdict, error) {
	if holds, err := r.Holds(variables); err != nil || !holds {
		return Verdict{}, err
	}
	order := effectsOf(r.Type)
	strongest := Shown
	var unknown error
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.ByValue == nil || skip != nil && skip(i) {
			continue
		}
		effect, err := d.effect(variables)
		if err != nil {
			unknown = cmp.Or(unknown, err)
		} else if slices.Index(order, effect) > slices.Index(order, strongest) {
			strongest = effect
		}
	}
	switch {
	case strongest == Hidden:
		return Verdict{Hidden: true}, nil
	case unknown != nil:
		return Verdict{}, unknown
	}
	return Verdict{Makes: true, Fields: r.decided(strongest)}, nil
}

// decided returns the fields that an effect sets.
func (r *Rule) decided(effect Effect) []DecidedField {
	switch {
	case effect == Requested:
		return []DecidedField{{"state", textValue(string(Requested))}}
	case effect == Shown || effect == Hidden:
		return nil
	case r.Type == "post":
		return []DecidedField{{"audience", textValue(string(effect))}}
	case effect == Followers:
		return []DecidedField{{"private", FieldValue{Text: "true", JSON: true}}}
	}
	return []DecidedField{{"private", FieldValue{Text: "false", JSON: true}}}
}

// MakesRequestsOnly reports whether the rule makes requests to follow, and never a follow.
func (r *Rule) MakesRequestsOnly() bool {
	return slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == "state" && f.constant.Text == string(Requested) }) ||
		slices.ContainsFunc(r.Decisions, func(d Decision) bool {
			effects := d.effects()
			return slices.Contains(effects, Requested) && !slices.Contains(effects, Shown)
		})
}

// Decides reports whether a field says who may see the object. Null is no such value, and neither is that
// of an expression that fails.
func (f *Field) Decides() bool {
	return slices.Contains([]string{"audience", "private", "suspended", "takenDown", "state", "isPublic"}, f.Name)
}

// decisions reads the tables of a rule.
func (p *parser) decisions(n *yaml.Node) []Decision {
	var list []Decision
	p.members(n, func(name, value *yaml.Node) {
		d := Decision{Line: name.Line, Value: p.expression(name, name.Value, false)}
		switch {
		case value.Kind == yaml.MappingNode:
			d.ByValue = map[string]Effect{}
			p.members(value, func(of, effect *yaml.Node) { p.effect(&d, of, effect) })
		case value.Value == Nothing:
		case p.undecided(name, name.Value, value):
		default:
			p.fail(value, "%s needs a table such as {0: PUBLIC, 1: FOLLOWERS, 2: hidden}, or %q", name.Value, Nothing)
		}
		list = append(list, d)
	})
	return list
}

func (p *parser) effect(d *Decision, of, effect *yaml.Node) {
	switch e := Effect(effect.Value); {
	case p.undecided(of, of.Value, effect):
	case of.Tag == "!!null":
		d.Null = e
	case of.Value == OtherValues:
		d.Other = e
	default:
		d.ByValue[of.Value] = e
	}
}

// undecided reports a value that someone has to decide.
func (p *parser) undecided(at *yaml.Node, what string, value *yaml.Node) bool {
	rest, is := strings.CutPrefix(value.Value, Undecided)
	if is {
		p.fail(at, "%s is undecided (%s): write who may see which value, such as {0: PUBLIC, 1: FOLLOWERS, 2: hidden}, or %q",
			what, cmp.Or(strings.TrimSpace(rest), "no values are known"), Nothing)
	}
	return is
}

// checkDecisions checks the effects of a rule, and the fields that they set.
func (p *parser) checkDecisions(at *yaml.Node, r *Rule) {
	known := effectsOf(r.Type)
	if len(r.Decisions) > 0 && known == nil {
		p.fail(at, "records of type %s are not decided about; decisions are for user, post, follow, live and list", r.Type)
		return
	}
	set := map[string]bool{}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		for _, effect := range d.effects() {
			if !slices.Contains(known, effect) {
				p.mistakes = append(p.mistakes, Mistake{d.Line, fmt.Sprintf("%.40q says nothing about a %s; write one of %s", effect, r.Type, joinEffects(known))})
			}
			for _, field := range r.decided(effect) {
				set[field.Name] = true
			}
		}
	}
	for _, f := range r.Fields {
		if set[f.Name] {
			p.fail(at, "decisions set the field %q; remove it", f.Name)
		}
	}
}

func joinEffects(list []Effect) string {
	var names []string
	for _, e := range list {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// errNull says that a field which decides who may see the object is null.
var errNull = errors.New("is null, which does not say who may see the object")
