import APIContract
import APIDeclarations
import Foundation
import JSONDocument
import LibraryDetails

extension APIResources {
    /// The JSON of the details of a title: each field's value, and the source of those that have one.
    static func titleDetails(_ layers: DetailLayers) -> APIObject<TitleDetailsFields> {
        TitleDetailsFields.object { _ in members(of: details(layers, DetailField.ofTitles)) }
    }

    /// The JSON of the details of a track: each field's value, and the source of those that have one.
    static func trackDetails(_ layers: DetailLayers) -> APIObject<TrackDetailsFields> {
        TrackDetailsFields.object { _ in members(of: details(layers, DetailField.ofTracks)) }
    }

    /// The JSON of some details.
    static func details(_ layers: DetailLayers, _ fields: [DetailField]) -> JSONText {
        let effective = layers.effective
        return .object(
            fields.map { field in (field.rawValue, effective[field]?.json ?? .null) } + [
                (
                    "sources",
                    .object(
                        fields.compactMap { field in
                            layers.source(of: field).map { (field.rawValue, .string($0.rawValue)) }
                        })
                )
            ])
    }

    /// A time in UTC (RFC 3339).
    static func timestamp(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The fields of details that a title or track shows with its other ones.
    static func fields(_ details: ItemDetails, _ fields: [DetailField]) -> [JSONText.Field?] {
        fields.map { field in (name: field.rawValue, value: details[field]?.json ?? .null) }
    }
}
