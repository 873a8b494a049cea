import Foundation
package import JSONDocument
import MediaCore

/// A change of one setting, as it is typed: `encrypt=true`, `presets.low.videoBitrate=500000`, `viewing.vod=members`.
package struct SettingChange: Sendable, Equatable {
    /// The names of the members from the outermost on.
    package var path: [String]
    /// The new value; `null` removes the setting.
    package var value: JSONText

    /// - Parameter text: a path and a value with an equals sign between. A value that is not JSON is a text.
    /// - Returns: `nil` if there is no path or no equals sign.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let value = String(text[text.index(after: sign)...])
        self.init(
            removing: String(text[..<sign]),
            value: (try? JSONParser.parse(value.utf8)).map(JSONText.init) ?? .string(value))
    }

    /// - Parameters:
    ///   - path: the names with points between.
    ///   - value: the new value; `null` removes the setting.
    /// - Returns: `nil` if a name is empty.
    package init?(removing path: String, value: JSONText = .null) {
        self.path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.value = value
        guard self.path.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// The merge patch (RFC 7396) of several changes.
    package static func patch(_ changes: [SettingChange]) -> JSONText {
        changes.reduce(.members([])) { patch, change in patch.adding(change.path[...], change.value) }
    }
}

extension JSONText {
    /// This patch with one more member, which may be `null`.
    fileprivate func adding(_ path: ArraySlice<String>, _ value: JSONText) -> JSONText {
        guard let name = path.first else { return value }
        let inner = self[name] ?? .members([])
        var result = self
        if case .members = self {} else { result = .members([]) }
        result[name] = inner.adding(path.dropFirst(), value)
        return result
    }
}
