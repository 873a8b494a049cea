import Database

/// The end of a page of videos: what the last one is ordered by.
struct VideoCursor {
    let keys: [Int64]

    private static let separator: Character = "-"

    /// - Throws: ``CommunityError`` with `invalidCursor`.
    init(parsing text: String, order: VideoQuery.Order) throws(CommunityError) {
        let fields = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        let keys = fields.dropFirst().compactMap { Int64($0) }
        guard fields.first.map(String.init) == order.rawValue, keys.count == fields.count - 1,
            keys.count == Self.columns(order).count
        else {
            throw .invalidCursor
        }
        self.keys = keys
    }

    /// The columns that a list is ordered by, each from the highest.
    static func columns(_ order: VideoQuery.Order) -> [String] {
        switch order {
        case .newest: ["c.video"]
        case .likes: ["c.likes", "c.video"]
        }
    }

    /// The cursor after a video as clients get it.
    static func text(_ video: Video, _ order: VideoQuery.Order) -> String {
        switch order {
        case .newest: "\(order.rawValue)\(separator)\(video.number)"
        case .likes: "\(order.rawValue)\(separator)\(video.counts.likes)\(separator)\(video.number)"
        }
    }
}
