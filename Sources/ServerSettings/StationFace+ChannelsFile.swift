import Foundation
package import HTTPEndpoints
package import JSONDocument

extension StationFace {
    private static let section = "site"

    /// Reads the section `site` of a `channels.json` that has passed all checks; missing fields keep their defaults.
    /// Blocks: it reads the logo.
    ///
    /// - Parameters:
    ///   - document: the file.
    ///   - path: its path; the path of the logo is relative to its folder.
    package init(_ document: JSONNode, path: String) {
        self.init()
        let section = document[Self.section]
        // Before this section there was a name among the accounts.
        if let name = (section?["name"] ?? document["accounts"]?["siteName"])?.string { self.name = name }
        accent = section?["accent"]?.string.flatMap(AccentColor.init(parsing:))
        logo = section?["logo"]?.string.flatMap { Self.logo($0, besideFile: path) }
        isFormal = section?["formal"]?.boolean ?? false
        maintenance = section?["maintenance"]?.string
        let zone = section?["timeZone"]?.string.flatMap(TimeZone.init(identifier:)) ?? .current
        for channel in document["channels"]?.elements ?? [] {
            if let name = channel["name"]?.string { guides[name] = ProgrammeGuide(channel, zone: zone) }
        }
        for text in section?["text"]?.members ?? [] { texts[text.name] = text.value.string }
    }

    /// Notes what the schema cannot check. Blocks: it reads the logo.
    static func check(_ document: JSONNode, path: String, _ issues: inout [JSONIssue]) {
        ProgrammeGuide.check(document, &issues)
        guard let node = document[Self.section]?["logo"], let file = node.string, logo(file, besideFile: path) == nil
        else { return }
        issues.append(
            at: node, "\(Self.section).logo",
            "\(node.summary) cannot be read, or is not an SVG, PNG, JPEG or WebP image of at most "
                + "\(StationLogo.maximumByteCount >> 10) KiB; its path is relative to the folder of this file")
    }

    private static func logo(_ file: String, besideFile path: String) -> StationLogo? {
        let url = URL(filePath: file, relativeTo: URL(filePath: path).deletingLastPathComponent())
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: StationLogo.maximumByteCount + 1)).flatMap { StationLogo(Array($0)) }
    }
}
