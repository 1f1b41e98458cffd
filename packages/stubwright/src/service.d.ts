export * from '@stubwright/service';
