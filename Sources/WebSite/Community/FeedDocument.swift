import APIContract
import Foundation
import MediaCore

/// A list of videos for feed readers (Atom, RFC 4287).
struct FeedDocument: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// The name of the entry, the same in every version of the feed and at every address of the server.
        var identifier: String
        var title: String
        var summary: String
        var author: String
        var tags: [String]
        /// The address of its page.
        var address: String
        var publishedAt: WallClockTime
        var changedAt: WallClockTime
    }

    /// The name of the feed, the same in every version.
    var identifier: String
    var title: String
    /// The tag of the language of the site's own texts.
    var language: String
    /// The address of the page with the same list.
    var page: String
    /// The address of the feed itself.
    var address: String
    var entries: [Entry]

    static let mediaType = "application/atom+xml"
    /// Limit of the entries.
    static let maximumEntryCount = 50
    /// Limit of a summary in characters; what is longer is cut.
    static let maximumSummaryLength = 500

    /// The time of the last change of an entry; 1970 for a feed without entries, whose text may not change by itself.
    var changedAt: WallClockTime { entries.map(\.changedAt).max() ?? .unixEpoch }

    var text: String {
        var lines = [
            #"<?xml version="1.0" encoding="utf-8"?>"#,
            #"<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\#(Self.escaped(language))">"#,
            Self.element("id", identifier), Self.element("title", title),
            Self.element("updated", Self.time(changedAt)),
            #"<link rel="self" type="\#(Self.mediaType)" href="\#(Self.escaped(address))"/>"#,
            #"<link rel="alternate" type="text/html" href="\#(Self.escaped(page))"/>"#,
            #"<generator version="\#(Self.escaped(Product.version))">\#(Self.escaped(Product.name))</generator>"#,
        ]
        for entry in entries.prefix(Self.maximumEntryCount) { lines += Self.lines(entry) }
        lines.append("</feed>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ entry: Entry) -> [String] {
        [
            "<entry>", element("id", entry.identifier), element("title", entry.title),
            element("published", time(entry.publishedAt)), element("updated", time(entry.changedAt)),
            #"<link rel="alternate" type="text/html" href="\#(escaped(entry.address))"/>"#,
            "<author>\(element("name", entry.author))</author>",
        ]
            + entry.tags.map { #"<category term="\#(escaped($0))"/>"# }
            + (entry.summary.isEmpty
                ? [] : [element("summary", String(entry.summary.prefix(maximumSummaryLength)))])
            + ["</entry>"]
    }

    /// Texts are plain text, so that readers show markup as it was written.
    private static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    private static func escaped(_ text: String) -> String { XMLText.escaped(text) }

    /// RFC 3339
    static func time(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }
}
