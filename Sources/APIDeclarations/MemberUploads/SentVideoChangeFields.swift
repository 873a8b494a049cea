package import APIContract

/// The fields of a sent video's description, and of its publication.
package struct SentVideoChangeFields: ObjectFields {
    package static let name = "SentVideoChange"
    package static let isClosed = true
    package static let fields = SentVideoChangeFields()

    package let name = VideoChangeFields.fields.name
    package let text = NewVideoFields.fields.text
    package let tags = NewVideoFields.fields.tags
    package let competition = NewVideoFields.fields.competition
    package let day = NewVideoFields.fields.day
    package let latitude = NewVideoFields.fields.latitude
    package let longitude = NewVideoFields.fields.longitude
    package let visibility = NewVideoFields.fields.visibility
    package let commentPolicy = NewVideoFields.fields.commentPolicy
    package let publish = Field<Bool>(setting: SentVideoFields.fields.publish, .optional)

    package init() {}
}
