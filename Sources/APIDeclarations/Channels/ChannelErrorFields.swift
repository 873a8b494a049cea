package import APIContract

/// The fields of an error of a channel.
package struct ChannelErrorFields: ObjectFields {
    package static let name = "ChannelError"
    package static let fields = ChannelErrorFields()

    package let at = Field<APITime>("at", "time of the error")
    package let message = Field<String>("message", "description of the error for people")

    package init() {}
}
