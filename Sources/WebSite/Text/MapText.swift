import Community
import HTTPEndpoints
import SiteTexts

/// The texts of the maps of competitions.
struct MapText: SiteTextSection {
    static let section = "maps"

    let language: SiteLanguage
    let map, mapOf, stages, scrolls: String
    /// The number of videos from places that the map does not show.
    let outside: PluralText
    /// The mistakes in a map that was sent, in place of the reasons in English.
    let failures: [String: String]
    // For operators.
    let edit, about, imageAbout, file, north, west, south, east, use, remove, noFile: String

    /// The caption of a drawing; empty if there is none.
    ///
    /// - Parameters:
    ///   - names: the names of the lines.
    ///   - outsideCount: the number of videos from places that the map does not show.
    func caption(_ names: [String], outsideCount: Int) -> String {
        var parts: [String] = []
        if !names.isEmpty { parts.append("\(stages) \(names.joined(separator: " · ")).") }
        if outsideCount > 0 { parts.append(outside(outsideCount)) }
        return parts.joined(separator: " ")
    }

    /// The mistake in a map that was sent.
    func sentence(_ failure: MapFailure) -> String {
        guard language != .english else { return "\(failure.description.withCapital)." }
        return switch failure {
        case .notXML(_, let offset): text("notXML").filled("offset", with: "\(offset)")
        case .notGPX(let root): text("notGPX").filled("element", with: root)
        case .noLine: text("noLine")
        case .tooManyLines(let count): limited("tooManyLines", GPXTrack.maximumLineCount, count)
        case .tooManyPoints(let count): limited("tooManyPoints", GPXTrack.maximumPointCount, count)
        case .coordinate(let value, let isLatitude, let line, let point):
            text((value == nil ? "no" : "wrong") + (isLatitude ? "Latitude" : "Longitude"))
                .filled("value", with: value ?? "", ["line": "\(line)", "point": "\(point)"])
        case .tooWide: limited("tooWide", Int(MapBounds.maximumWidth), 0)
        case .tooCloseToAPole: limited("tooCloseToAPole", Int(MapBounds.maximumLatitude), 0)
        case .edges: text("edges")
        case .image: text("image")
        }
    }

    private func text(_ failure: String) -> String { failures[failure] ?? failure }

    private func limited(_ failure: String, _ limit: Int, _ count: Int) -> String {
        text(failure).filled("limit", with: "\(limit)", ["count": "\(count)"])
    }
}
