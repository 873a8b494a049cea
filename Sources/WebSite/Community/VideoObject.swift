import Accounts
import Community
import HTTPEndpoints
import JSONDocument

/// The data of a video for search engines (https://schema.org/VideoObject), as JSON-LD.
enum VideoObject {
    /// JSON for a `script` element: nothing in it ends the element or begins a comment.
    ///
    /// - Parameters:
    ///   - video: a video that is shown.
    ///   - author: the name of its owner.
    ///   - folder: the path of the folder under which it plays.
    ///   - url: makes an address of a path.
    static func text(_ video: Video, author: String, folder: String, _ url: (String) -> String) -> String {
        var person: [JSONText.Field] = [
            ("@type", .string(video.ownerName == nil ? "Organization" : "Person")), ("name", .string(author)),
        ]
        if let owner = video.ownerName { person.append(("url", .string(url(VideoPath.member(owner))))) }
        var fields: [JSONText.Field] = [
            ("@context", .string("https://schema.org")), ("@type", .string("VideoObject")),
            ("name", .string(SitePage.displayed(video.name))),
            ("description", .string(SitePage.displayed(video.text.isEmpty ? video.name : video.text))),
            ("uploadDate", .string(FeedDocument.time(video.publishedAt))),
            ("url", .string(url(VideoPath.video(video.id)))),
            ("embedUrl", .string(url(VideoPath.embedding(video.id)))),
            ("author", .object(person)),
            (
                "interactionStatistic",
                .array([
                    counter("WatchAction", video.counts.views), counter("LikeAction", video.counts.likes),
                    counter("CommentAction", video.counts.comments),
                ])
            ),
        ]
        // The address of an unlisted video is signed, and ends.
        if video.visibility == .public { fields.append(("contentUrl", .string(url("\(folder)/playlist.m3u8")))) }
        if video.hasPoster { fields.append(("thumbnailUrl", .string(url("\(folder)/poster.jpg")))) }
        if !video.tags.isEmpty { fields.append(("keywords", .string(video.tags.joined(separator: ", ")))) }
        return embeddable(JSONText.object(fields).rendered)
    }

    private static func counter(_ action: String, _ count: Int64) -> JSONText {
        .object([
            ("@type", .string("InteractionCounter")),
            ("interactionType", .object([("@type", .string(action))])),
            ("userInteractionCount", .integer(Int(count))),
        ])
    }

    /// In JSON, these characters are in strings only.
    static func embeddable(_ json: String) -> String {
        json.replacing("<", with: "\\u003C").replacing(">", with: "\\u003E").replacing("&", with: "\\u0026")
    }
}
