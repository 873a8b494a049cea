/// A title cannot be looked up at the moment; the request may succeed later.
package struct PlayableTitlesUnavailable: Error {
    package init() {}
}
