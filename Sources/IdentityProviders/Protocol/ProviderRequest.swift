/// A request to a provider.
package struct ProviderRequest: Sendable, Hashable {
    package var url: String
    /// The fields of a form to send by POST; `nil` for a GET.
    package var form: String?
    /// The value of the field Authorization.
    package var authorization: String?

    package init(url: String, form: String? = nil, authorization: String? = nil) {
        (self.url, self.form, self.authorization) = (url, form, authorization)
    }
}
