package import APIContract

/// The fields of the answer to a request that sends results.
package struct ResultMailsFields: ObjectFields {
    package static let name = "ResultMails"
    package static let fields = ResultMailsFields()

    package let count = Field<Int>("count", "number of mails that wait to be sent")

    package init() {}
}
