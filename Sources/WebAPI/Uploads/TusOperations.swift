import APIContract
import APIDeclarations

/// The operations of resumable uploads to one target.
struct TusOperations: Sendable {
    var describeAll: any DeclaredOperation
    var create: any DeclaredOperation
    var describe: any DeclaredOperation
    var offset: any DeclaredOperation
    var append: any DeclaredOperation
    var delete: any DeclaredOperation
    var override: any DeclaredOperation

    /// The path of the uploads.
    var path: String { create.path }

    /// Files of the library.
    static let library = TusOperations(
        describeAll: UploadAPI.describeUploads, create: UploadAPI.createUpload, describe: UploadAPI.describeUpload,
        offset: UploadAPI.getUploadOffset, append: UploadAPI.appendToUpload, delete: UploadAPI.deleteUpload,
        override: UploadAPI.overrideUploadMethod)

    /// Videos of members.
    static let members = TusOperations(
        describeAll: MemberUploadAPI.describeMemberUploads, create: MemberUploadAPI.createMemberUpload,
        describe: MemberUploadAPI.describeMemberUpload, offset: MemberUploadAPI.getMemberUploadOffset,
        append: MemberUploadAPI.appendToMemberUpload, delete: MemberUploadAPI.deleteMemberUpload,
        override: MemberUploadAPI.overrideMemberUploadMethod)
}
