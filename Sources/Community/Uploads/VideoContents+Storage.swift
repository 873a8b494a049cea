import Accounts
import Foundation

/// The description of a video that is not published yet is kept as one text: nobody searches it.
extension VideoContents {
    private struct Stored: Codable {
        var name: String
        var text: String
        var tags: [String]
        var competition: String?
        var day: Int?
        var latitude: Double?
        var longitude: Double?
        var visibility: String
        var commentPolicy: String
    }

    var stored: String {
        let stored = Stored(
            name: name, text: text, tags: tags, competition: competition?.text, day: day, latitude: place?.latitude,
            longitude: place?.longitude, visibility: visibility.rawValue, commentPolicy: commentPolicy.rawValue)
        // Nothing in it can fail to be encoded: the numbers of a place are finite.
        return (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// - Parameter text: what ``stored`` was; anything else is empty.
    init(stored text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else {
            self.init(name: "")
            return
        }
        self.init(
            name: stored.name, text: stored.text, tags: stored.tags,
            competition: stored.competition.flatMap { OpaqueID(parsing: $0) }, day: stored.day,
            place: stored.latitude.flatMap { latitude in
                stored.longitude.flatMap { GeographicPoint(latitude: latitude, longitude: $0) }
            }, visibility: VideoVisibility(rawValue: stored.visibility) ?? .unlisted,
            commentPolicy: CommentPolicy(rawValue: stored.commentPolicy) ?? .approval)
    }
}
