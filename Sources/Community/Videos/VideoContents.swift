package import Accounts
package import MediaCore

/// The description of a video by its owner.
package struct VideoContents: Sendable, Hashable {
    package var name: String
    package var text: String
    package var tags: [String]
    /// The competition that it is from; `nil` for none.
    package var competition: OpaqueID?
    /// The day of the competition, from 1; `nil` for none.
    package var day: Int?
    package var place: GeographicPoint?
    package var visibility: VideoVisibility
    package var commentPolicy: CommentPolicy

    package static let maximumNameLength = 120
    package static let maximumTextLength = 5_000
    package static let maximumTagCount = 20
    package static let maximumTagLength = 40

    package init(
        name: String, text: String = "", tags: [String] = [], competition: OpaqueID? = nil, day: Int? = nil,
        place: GeographicPoint? = nil, visibility: VideoVisibility = .public, commentPolicy: CommentPolicy = .open
    ) {
        (self.name, self.text, self.tags) = (name, text, tags)
        (self.competition, self.day, self.place) = (competition, day, place)
        (self.visibility, self.commentPolicy) = (visibility, commentPolicy)
    }

    package init(_ video: Video) {
        self.init(
            name: video.name, text: video.text, tags: video.tags, competition: video.competition, day: video.day,
            place: video.place, visibility: video.visibility, commentPolicy: video.commentPolicy)
    }

    /// Without control characters, and within the limits.
    ///
    /// - Throws: `Refusal` with `emptyField` or `invalidField`.
    package func checked() throws(Refusal) -> VideoContents {
        var checked = try limited()
        checked.name = try MemberText.line(name, "name", maximumLength: Self.maximumNameLength)
        return checked
    }

    /// Without control characters, and within the limits; the name may be missing.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    func limited() throws(Refusal) -> VideoContents {
        var checked = self
        checked.name =
            name.withoutSurroundingBlanks.isEmpty
            ? "" : try MemberText.line(name, "name", maximumLength: Self.maximumNameLength)
        checked.text = try MemberText.lines(text, "text", maximumLength: Self.maximumTextLength)
        guard tags.count <= Self.maximumTagCount else {
            throw Refusal(
                .invalidField, "a video has at most \(Self.maximumTagCount) tags", field: "tags")
        }
        checked.tags = []
        for tag in tags {
            let tag = try MemberText.line(tag, "tags", maximumLength: Self.maximumTagLength)
            if !checked.tags.contains(tag) { checked.tags.append(tag) }
        }
        guard day == nil || competition != nil else {
            throw Refusal(.invalidField, "a day belongs to a competition; name the competition", field: "day")
        }
        return checked
    }
}
