package import APIContract

/// The fields of the answer to an invitation, or to the first messages of a stranger.
package struct MessagingAnswerFields: ObjectFields {
    package static let name = "MessagingAnswer"
    package static let isClosed = true
    package static let fields = MessagingAnswerFields()

    package let accept = Field<Bool>("accept", "true accepts, false refuses")

    package init() {}
}
