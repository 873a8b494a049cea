/// A notice on top of every page until the visitor dismisses it.
package struct PageNotice: Sendable, Hashable {
    /// The name by which the visitor dismisses it.
    package var name: String
    /// The text, with the marks of announcements.
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
}
