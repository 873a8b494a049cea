package import APIContract

/// The fields of the share of channels, titles or tracks in their sum.
package struct ShareFields: ObjectFields {
    package static let name = "Share"
    package static let fields = ShareFields()

    package let count = Field<Int>("count", "number of channels, titles or tracks that the sender may be shown")
    package let percentage = Field<Int>(
        "percentage", "share in whole percent; the three shares add up to 100, or are 0 if there is nothing")

    package init() {}
}
