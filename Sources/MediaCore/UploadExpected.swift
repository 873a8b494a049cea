/// An event that goes from the endpoint that takes a request to the handlers of its connection: the body is an upload,
/// which may take as long as it makes progress. Without it, a body has to be there after a short time, because it is a
/// form or a few lines of JSON.
package struct UploadExpected: Sendable {
    package init() {}
}
