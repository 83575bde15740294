package feed

import "context"

// SurveyInTurn is a [Surveyor] for stores where concurrent reads gain nothing.
type SurveyInTurn struct {
	Relations Relations
	Outboxes  Outboxes
}

// Survey implements [Surveyor].
func (s SurveyInTurn) Survey(ctx context.Context, viewer UserID, since int64, cold bool, own int) (out Survey, err error) {
	if out.Version, err = s.Relations.ViewerVersion(ctx, viewer); err != nil {
		return Survey{}, err
	}
	if out.Pulled, err = s.Relations.Pulled(ctx, viewer, Completeness{out.Version.Generation, since, cold}); err != nil {
		return Survey{}, err
	}
	if out.Own, err = s.Outboxes.Outbox(ctx, viewer, []UserID{viewer}, Range{Above: Bottom, Below: Top, Limit: own}); err != nil {
		return Survey{}, err
	}
	return out, nil
}
