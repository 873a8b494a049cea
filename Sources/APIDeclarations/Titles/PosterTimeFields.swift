package import APIContract

/// The fields of a choice of a frame as the poster.
package struct PosterTimeFields: ObjectFields {
    package static let name = "PosterTime"
    package static let fields = PosterTimeFields()

    package let at = Field<Double>("at", "time of the frame in seconds from the beginning", .minimum(0))

    package init() {}
}
