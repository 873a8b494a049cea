/// Something that is shown on top of every page until the visitor dismisses it.
package struct PageNotice: Sendable, Hashable {
    /// A part of its text.
    package enum Span: Sendable, Hashable {
        case plain(String)
        case strong(String)
        case emphasis(String)
        /// A link to a path of the site, or to another site over HTTP or HTTPS.
        case link(String, address: String)
        case lineBreak
    }

    /// The name by which the visitor dismisses it.
    package var name: String
    package var spans: [Span]

    package init(name: String, spans: [Span]) { (self.name, self.spans) = (name, spans) }
}
