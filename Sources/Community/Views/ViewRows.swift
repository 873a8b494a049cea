import Catalogue
import Database

/// The counters of views. Each function runs inside the transaction of its caller.
enum ViewRows {
    /// The number of the video that plays a title; `nil` if the title is not published.
    static func video(of title: VideoView.Title, _ db: any SQLConnection) throws -> Int64? {
        let reference =
            switch title {
            case .id(let id): try TitleRows.title(id: id, db)
            case .file(let file): try TitleRows.title(file: file, db)
            }
        guard let reference else { return nil }
        return try db.firstValue(
            "SELECT number FROM communityVideo WHERE titleNumber = ?1", .integer(reference.number))
    }

    /// Adds views. What is hidden plays for moderators only, who do not count.
    static func add(_ count: Int64, to video: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE videoCount SET views = views + ?2 WHERE video = ?1
                AND EXISTS (SELECT 1 FROM communityVideo WHERE number = ?1 AND state = ?3)
            """, .integer(video), .integer(count), .text(VideoState.shown.rawValue))
    }
}
