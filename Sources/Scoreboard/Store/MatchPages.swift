/// Reads the page of matches after a cursor, or the first one without a cursor, and says what cursor the next page has;
/// `nil` after the last one.
package typealias MatchPages = @Sendable (String?) async throws -> (items: [MatchSummary], next: String?)
