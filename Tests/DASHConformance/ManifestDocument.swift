import Foundation
import MediaCore
package import XMLDocument

/// A manifest as a player reads it, written after ISO/IEC 23009-1 and not after our writer.
package struct ManifestDocument {
    package struct Segment: Hashable {
        package var address: String
        package var number: Int
        /// Ticks on the segment's own timeline.
        package var time, duration: Int64
        /// Seconds since the beginning of the presentation.
        package var start, end: Double
        /// When it can be requested: seconds since the beginning of the presentation.
        package var availableAt: Double
    }

    package struct Rendition {
        package var id: String
        package var attributes: [String: String]
        package var adaptationSet: [String: String]
        package var initialization: String?
        package var presentationTimeOffset: Int64
        package var timescale: Int64
        package var segments: [Segment]
        /// The address of a file that is the whole rendition.
        package var file: String?
        /// The element of the adaptation set.
        package var element: XMLElement

        package var content: String { adaptationSet["contentType"] ?? "" }
        package func descriptors(_ name: String) -> [String] {
            element.children(named: name).map {
                "\($0.attributes["schemeIdUri"] ?? "")=\($0.attributes["value"] ?? "")"
            }
        }
    }

    package struct Period {
        package var id: String
        package var start: Double
        package var duration: Double?
        package var renditions: [Rendition]
    }

    package var root: XMLElement
    package var periods: [Period] = []

    package struct Violation: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    package var isLive: Bool { root.attributes["type"] == "dynamic" }
    /// Seconds since 1970.
    package var availabilityStart: Double? { root.attributes["availabilityStartTime"].flatMap(Self.date) }
    package func seconds(_ name: String) -> Double? { root.attributes[name].flatMap(Self.duration) }

    /// - Throws: ``Violation`` for what a player cannot make sense of.
    package init(parsing text: String) throws {
        root = try XMLReader.read(text.utf8, maximumElementCount: 100_000, keepsAttributes: true)
        guard root.name == "MPD" else { throw Violation(description: "the root is \(root.name)") }
        for name in ["profiles", "minBufferTime", "type"] where root.attributes[name] == nil {
            throw Violation(description: "MPD has no \(name)")
        }
        var end = 0.0
        var ids: Set<String> = []
        for element in root.children(named: "Period") {
            let start = try element.attributes["start"].map { try Self.required(Self.duration($0), "start") } ?? end
            let duration = try element.attributes["duration"].map { try Self.required(Self.duration($0), "duration") }
            let id = element.attributes["id"] ?? ""
            guard !isLive || ids.insert(id).inserted else { throw Violation(description: "two periods are \(id)") }
            guard start >= end - 0.002 else { throw Violation(description: "period \(id) begins before the last ends") }
            end = start + (duration ?? 0)
            periods.append(
                Period(id: id, start: start, duration: duration, renditions: try Self.renditions(element, start)))
        }
        guard !periods.isEmpty || isLive else { throw Violation(description: "there is no period") }
    }

    private static func required<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw Violation(description: "\(name) is missing or not valid") }
        return value
    }

    private static func renditions(_ period: XMLElement, _ start: Double) throws -> [Rendition] {
        var renditions: [Rendition] = []
        for set in period.children(named: "AdaptationSet") {
            for element in set.children(named: "Representation") {
                let id = try required(element.attributes["id"], "Representation@id")
                _ = try required(element.attributes["bandwidth"].flatMap { Int($0) }, "Representation@bandwidth")
                var rendition = Rendition(
                    id: id, attributes: element.attributes, adaptationSet: set.attributes, presentationTimeOffset: 0,
                    timescale: 1, segments: [], file: element["BaseURL"], element: set)
                if let template =
                    (element.children(named: "SegmentTemplate")
                    + set.children(named: "SegmentTemplate")).first
                {
                    try read(template, start, into: &rendition)
                }
                renditions.append(rendition)
            }
        }
        guard Set(renditions.map(\.id)).count == renditions.count else {
            throw Violation(description: "two representations have the same name")
        }
        return renditions
    }

    private static func read(_ template: XMLElement, _ start: Double, into rendition: inout Rendition) throws {
        func number(_ name: String) -> Int64? { template.attributes[name].flatMap { Int64($0) } }
        rendition.timescale = number("timescale") ?? 1
        rendition.presentationTimeOffset = number("presentationTimeOffset") ?? 0
        rendition.initialization = template.attributes["initialization"]
        let media = try required(template.attributes["media"], "media")
        let early = template.attributes["availabilityTimeOffset"].flatMap { Double($0) } ?? 0
        var segmentNumber = number("startNumber") ?? 1
        guard let timeline = template.children(named: "SegmentTimeline").first else { return }
        var time: Int64 = 0
        for element in timeline.children(named: "S") {
            if let at = element.attributes["t"] {
                let at = try required(Int64(at), "S@t")
                guard at >= time, at >= 0 else { throw Violation(description: "segments overlap at \(at)") }
                time = at
            }
            let duration = try required(element.attributes["d"].flatMap { Int64($0) }, "S@d")
            guard duration > 0 else { throw Violation(description: "a segment lasts \(duration)") }
            for _ in 0...(element.attributes["r"].flatMap { Int($0) } ?? 0) {
                func seconds(_ ticks: Int64) -> Double {
                    start + Double(ticks - rendition.presentationTimeOffset) / Double(rendition.timescale)
                }
                rendition.segments.append(
                    Segment(
                        address: media.replacingOccurrences(of: "$Number$", with: "\(segmentNumber)"),
                        number: Int(segmentNumber), time: time, duration: duration, start: seconds(time),
                        end: seconds(time + duration), availableAt: seconds(time + duration) - early))
                segmentNumber += 1
                time += duration
            }
        }
    }

    /// `PT1H2M3.5S`
    static func duration(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /PT(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9.]+)S)?/) else { return nil }
        return (match.1.flatMap { Double($0) } ?? 0) * 3_600 + (match.2.flatMap { Double($0) } ?? 0) * 60
            + (match.3.flatMap { Double($0) } ?? 0)
    }

    package static func date(_ text: String) -> Double? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))?.timeIntervalSince1970
    }
}
