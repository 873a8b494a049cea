import MediaCore

/// The end of a page of videos: the keys that the last one is ordered by.
struct VideoCursor {
    let keys: [Int64]

    /// - Throws: `Refusal` with `invalidCursor`.
    init(parsing text: String, order: VideoQuery.Order) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list(order), keyCount: Self.columns(order).count)
        keys = try place.keys.indices.map { index throws(Refusal) in try place.number(index) }
    }

    private static func list(_ order: VideoQuery.Order) -> String { "videos.\(order.rawValue)" }

    /// The columns that a list is ordered by, each from the highest.
    static func columns(_ order: VideoQuery.Order) -> [String] {
        switch order {
        case .newest: ["c.video"]
        case .likes: ["c.likes", "c.video"]
        }
    }

    /// The cursor after a video as clients get it.
    static func text(_ video: Video, _ order: VideoQuery.Order) -> String {
        let keys =
            switch order {
            case .newest: [video.number]
            case .likes: [video.counts.likes, video.number]
            }
        return ListCursor(list(order), keys.map { "\($0)" }).text
    }
}
