package import APIContract
import JSONDocument

/// The fields of a choice of where the library's files are to be.
package struct MediaMoveFields: ObjectFields {
    package static let name = "MediaMove"
    package static let fields = MediaMoveFields()

    package let to = Field<String>(
        "to", "destination of the files: `store`, `folder`, or the address of the server's media store",
        .example(.string("store")))

    package init() {}
}
