/// A part of a line of a member's text.
package enum MarkupSpan: Sendable, Hashable {
    case plain(String)
    case strong(String)
    case emphasis(String)
    case code(String)
    /// A link to a path of the site, or to another site over HTTP or HTTPS.
    case link(String, address: String)
    /// A time such as `12:34` or `1:02:03`, which leads into the title that the topic is about.
    case time(String, seconds: Int)
    /// The number of a comment of the topic, such as `#12`.
    case comment(place: Int64)
    case lineBreak
}
