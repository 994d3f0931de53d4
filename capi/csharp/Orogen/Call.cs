// Calls of library functions.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Orogen
{
    internal static class Call
    {
        internal delegate int Writer(byte[] text, UIntPtr size, out UIntPtr length, out Error error);

        internal static void Check(int status, ref Error error)
        {
            if (status != 0) throw Failure(status, ref error);
        }

        private static OrogenException Failure(int status, ref Error error)
        {
            var bytes = MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref error, 1)).Slice(Error.MessageStart).ToArray();
            return new OrogenException((Status)status, Encoding.UTF8.GetString(bytes, 0, Array.IndexOf(bytes, (byte)0)));
        }

        /// <summary>Calls a function that writes text: first for its length, then with a buffer.</summary>
        internal static string Text(Writer write)
        {
            UIntPtr length;
            Error error;
            Check(write(null, UIntPtr.Zero, out length, out error), ref error);
            for (;;)
            {
                var text = new byte[(int)length + 1];
                int status = write(text, (UIntPtr)text.Length, out length, out error);
                if (status == (int)Status.Size && (long)length >= text.Length) continue; // It grew meanwhile.
                Check(status, ref error);
                return Encoding.UTF8.GetString(text, 0, (int)length);
            }
        }
    }

    /// <summary>OrogenError. Only its first bytes are declared as fields, so that it can be passed without marshalling.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 1024)]
    internal struct Error
    {
        internal const int MessageStart = 8;
        internal int Status;
        internal uint Length;
        internal byte Message;
    }
}
