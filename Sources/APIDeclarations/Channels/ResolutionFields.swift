package import APIContract
import JSONDocument

/// The fields of the size of a video.
package struct ResolutionFields: ObjectFields {
    package static let name = "Resolution"
    package static let fields = ResolutionFields()

    package let width = Field<Int>("width", "width in pixels", .example(.integer(1_280)))
    package let height = Field<Int>("height", "height in pixels", .example(.integer(720)))

    package init() {}
}
