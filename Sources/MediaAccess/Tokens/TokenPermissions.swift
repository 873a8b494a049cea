package import JSONDocument

/// The permissions of a token, in MediaMTX's form: the claim `mediamtx_permissions`, a list of actions and paths.
///
/// A path is that of the media without the slash in front (`live/canalA.stream`, `vod/film`), everything if it is
/// missing or empty, or a regular expression after `~`, which is found somewhere in the path.
package struct TokenPermissions: Sendable, Hashable {
    private struct Permission: Sendable, Hashable {
        var action: String
        var path: String
    }

    /// The claim's name.
    package static let claim = "mediamtx_permissions"
    /// Limits of the claim. Signers of tokens are trusted, but make mistakes.
    private static let maximumCount = 100
    private static let maximumPatternLength = 500

    private let permissions: [Permission]

    /// - Parameter claims: the claims of a token that was checked. The list may be JSON in a text, too.
    package init(_ claims: JSONNode) {
        var node = claims[Self.claim]
        if let text = node?.string { node = try? JSONParser.parse(text.utf8) }
        permissions = (node?.elements ?? []).prefix(Self.maximumCount).compactMap { element in
            element["action"]?.string.map { Permission(action: $0, path: element["path"]?.string ?? "") }
        }
    }

    /// Whether something is allowed.
    ///
    /// - Parameters:
    ///   - actions: any of these, such as `read` and `playback`.
    ///   - folder: the folder of the media, such as `/live/canalA.stream`.
    package func allow(_ actions: Set<String>, _ folder: String) -> Bool {
        let path = String(folder.dropFirst())
        return permissions.contains { actions.contains($0.action) && Self.matches($0.path, path) }
    }

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        guard pattern.hasPrefix("~") else { return pattern.isEmpty || pattern == path }
        guard pattern.utf8.count <= maximumPatternLength, let regex = try? Regex(String(pattern.dropFirst())) else {
            return false
        }
        return path.contains(regex)
    }
}
