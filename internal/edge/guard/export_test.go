package guard

// MeasureDocument is measure, for tests that import importers of this package.
var MeasureDocument = measure
