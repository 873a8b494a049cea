import Foundation
import JSONDocument
import LibraryDetails

extension APIResources {
    /// The JSON of the details of a title or track: each field's value, and the source of those that have one.
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
    static func fields(_ details: ItemDetails, _ fields: [DetailField]) -> [JSONText.Field] {
        fields.map { field in (field.rawValue, details[field]?.json ?? .null) }
    }
}
