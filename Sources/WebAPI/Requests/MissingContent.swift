import Accounts
import Catalogue
import HTTPEndpoints
import LiveChannels
import MediaCore
import Workflows

/// 404 responses for unknown names, for operators with the most similar known name. Others get the response that they
/// get for what they must not learn of.
extension ChannelContent {
    func missing(channel name: String, _ context: GatewayRequestContext) -> ProblemDetails {
        guard context.may(.read, .library) else { return .unknown(.channel, name) }
        let names = channels().map(\.name)
        return .missing(
            "channel", name, names.isEmpty ? "none is configured" : "there are: \(names.joined(separator: ", "))",
            nearest: NearestName.suggestion(for: name, among: names))
    }
}

extension TitleContent {
    func missing(title id: String, _ context: GatewayRequestContext) async -> ProblemDetails {
        guard context.may(.read, .library) else { return .unknown(.title, id) }
        let ids = await MissingContent.similar(to: id) {
            try await titles(RecordQuery(matching: $0), after: nil, limit: $1).items.map(\.id)
        }
        return .missing(
            "title", id, "GET /api/v1/titles lists them", nearest: NearestName.suggestion(for: id, among: ids))
    }
}

extension TrackContent {
    func missing(track id: String, _ context: GatewayRequestContext) async -> ProblemDetails {
        guard context.may(.read, .library) else { return .unknown(.track, id) }
        let ids = await MissingContent.similar(to: id) {
            try await tracks(RecordQuery(matching: $0), after: nil, limit: $1).items.map(\.id)
        }
        return .missing(
            "track", id, "GET /api/v1/tracks lists them", nearest: NearestName.suggestion(for: id, among: ids))
    }
}

/// Finds names that are like one that nothing has.
enum MissingContent {
    /// The IDs to compare an unknown ID with: those that share a word with it, and the start of the list. The number is
    /// limited, because a library may have tens of thousands and anyone may request unknown IDs.
    static func similar(
        to id: String, _ ids: (_ query: String?, _ limit: Int) async throws -> [String]
    ) async -> [String] {
        guard id.unicodeScalars.count <= PageRequest.maximumQueryLength else { return [] }
        let words = id.split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= minimumWordLength }
        var found: [String] = []
        for word in words.prefix(maximumWordCount) {
            found += (try? await ids(String(word), maximumCandidateCount)) ?? []
        }
        return found + ((try? await ids(nil, maximumCandidateCount)) ?? [])
    }

    /// Shorter words are ignored, because they are contained in half of all names.
    private static let minimumWordLength = 3
    private static let maximumWordCount = 3
    /// Limit of results per search.
    private static let maximumCandidateCount = 100
}
