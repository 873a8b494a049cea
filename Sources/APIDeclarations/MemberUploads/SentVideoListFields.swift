package import APIContract

/// The fields of a page of the videos that the sender has sent.
package struct SentVideoListFields: ObjectFields {
    package static let name = "SentVideoList"
    package static let fields = SentVideoListFields()

    package let items = Field<[APIObject<SentVideoFields>]>("items", "videos of this page, newest first")
    package let next = Field<NextCursor>("next", "cursor of the next page; null on the last one")
    package let bytes = Field<Double>("bytes", "size of all files that the sender has sent, in bytes")
    package let quota = Field<Double>("quota", "greatest size that all files of the sender may have, in bytes")

    package init() {}
}
