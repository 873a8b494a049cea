/// The title or track cannot be looked up at the moment, because the database does not answer.
package struct TitlesUnavailable: Error {
    package init() {}
}
